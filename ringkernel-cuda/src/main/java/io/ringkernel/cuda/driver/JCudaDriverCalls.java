package io.ringkernel.cuda.driver;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import jcuda.driver.CUcontext;
import jcuda.driver.CUctx_flags;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static io.ringkernel.cuda.driver.JCudaCall.check;

/**
 * The driver through JCuda.
 */
record JCudaDriverCalls(NativePlatform platform) implements CudaDriver {

	private static final int COMPUTE_MODE_PROHIBITED = 2;

	private static final Logger logger = LoggerFactory.getLogger(JCudaDriverCalls.class);

	/**
	 * The first failure to load: a class whose initialization failed says something else
	 * the second time.
	 */
	private static @Nullable LoadFailure unavailable;

	@Override
	public int initialize() {
		if (!this.platform.hasJCuda()) {
			throw new CudaUnavailableException(
					"there is no CUDA on %s: JCuda has no native library for it".formatted(this.platform),
					"Use the CPU backend, or run on Linux or Windows on x86-64.", null);
		}
		load();
		int[] version = new int[1];
		check("cuDriverGetVersion", () -> JCudaDriver.cuDriverGetVersion(version));
		check("cuInit", () -> JCudaDriver.cuInit(0));
		return version[0];
	}

	private static synchronized void load() {
		LoadFailure known = unavailable;
		if (known == null) {
			try {
				DriverLibrary.preload();
				NativeDirectory.unpackInto(() -> JCudaDriver.setLogLevel(jcuda.LogLevel.LOG_QUIET));
				return;
			}
			catch (LinkageError ex) {
				known = explain(ex, LoadFailure.of(String.valueOf(ex.getMessage()), DriverLibrary.isInstalled()));
				unavailable = known;
			}
			catch (UncheckedIOException ex) {
				known = explain(ex, LoadFailure.ofUnpacking(String.valueOf(ex.getMessage())));
			}
		}
		throw new CudaUnavailableException(known.reason(), known.remedy(), null);
	}

	private static LoadFailure explain(Throwable cause, LoadFailure failure) {
		logger.debug("JCuda's native library could not be loaded", cause);
		if (DriverLibrary.isInstalled()) {
			logger.warn("A CUDA driver is installed and not used: {}. {}", failure.reason(), failure.remedy());
		}
		return failure;
	}

	@Override
	public int deviceCount() {
		int[] count = new int[1];
		check("cuDeviceGetCount", () -> JCudaDriver.cuDeviceGetCount(count));
		return count[0];
	}

	@Override
	public DeviceProperties properties(int ordinal) {
		CUdevice device = device(ordinal);
		byte[] name = new byte[256];
		check("cuDeviceGetName", () -> JCudaDriver.cuDeviceGetName(name, name.length, device));
		long[] memory = new long[1];
		check("cuDeviceTotalMem", () -> JCudaDriver.cuDeviceTotalMem(memory, device));
		return new DeviceProperties(text(name),
				attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
				attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
				attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), memory[0],
				attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
				attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
				attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_MODE) == COMPUTE_MODE_PROHIBITED,
				flag(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT),
				flag(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY),
				flag(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED),
				flag(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS),
				flag(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH),
				flag(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED),
				// It is told in kHz.
				1_000L * attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
	}

	private static CUdevice device(int ordinal) {
		CUdevice device = new CUdevice();
		check(() -> "cuDeviceGet of device " + ordinal, () -> JCudaDriver.cuDeviceGet(device, ordinal));
		return device;
	}

	private static boolean flag(CUdevice device, int attribute) {
		return attribute(device, attribute) != 0;
	}

	private static int attribute(CUdevice device, int attribute) {
		int[] value = new int[1];
		check(() -> "cuDeviceGetAttribute of attribute " + attribute,
				() -> JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
		return value[0];
	}

	private static String text(byte[] bytes) {
		int end = 0;
		while (end < bytes.length && bytes[end] != 0) {
			end++;
		}
		return new String(bytes, 0, end, StandardCharsets.UTF_8);
	}

	@Override
	public CudaContext open(int ordinal) {
		CUdevice device = device(ordinal);
		CUcontext context = new CUcontext();
		int code = JCudaCall.result(() -> JCudaDriver.cuCtxCreate(context, CUctx_flags.CU_CTX_SCHED_AUTO, device));
		if (code != CUresult.CUDA_SUCCESS) {
			logger.info("Device {} gives no context of its own ({}): its primary one is used", ordinal,
					JCudaCall.status(code).name());
			check(() -> "cuDevicePrimaryCtxRetain of device " + ordinal,
					() -> JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
			check("cuCtxSetCurrent", () -> JCudaDriver.cuCtxSetCurrent(context));
		}
		return new JCudaContext(context);
	}

}
