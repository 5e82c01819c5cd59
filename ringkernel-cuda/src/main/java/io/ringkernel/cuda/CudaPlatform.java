package io.ringkernel.cuda;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.RingKernelException;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.platform.PlanOffer;
import org.jspecify.annotations.Nullable;

/**
 * What CUDA is on this machine; looked at once.
 */
final class CudaPlatform {

	/** Before it, there are neither independent threads nor 16-byte accesses. */
	private static final int MIN_CAPABILITY = 70;

	/** The first device; CUDA_VISIBLE_DEVICES says which one that is. */
	private static final int DEVICE = 0;

	/** The GPU of the host, as WSL2 shows it. */
	private static final Path WSL_DEVICE = Path.of("/dev/dxg");

	private final CudaDriver driver;

	private final Path wslDevice;

	private @Nullable Findings findings;

	private @Nullable CudaDevice device;

	CudaPlatform(CudaDriver driver) {
		this(driver, WSL_DEVICE);
	}

	CudaPlatform(CudaDriver driver, Path wslDevice) {
		this.driver = driver;
		this.wslDevice = wslDevice;
	}

	/**
	 * The platform of this process.
	 */
	static CudaPlatform system() {
		return SystemPlatform.INSTANCE;
	}

	synchronized Findings findings() {
		Findings known = this.findings;
		if (known == null) {
			known = look();
			this.findings = known;
		}
		return known;
	}

	/**
	 * The device, opened once.
	 * @throws RingKernelException if there is none that can be used
	 */
	synchronized CudaDevice device() {
		CudaDevice known = this.device;
		if (known == null) {
			Findings found = findings();
			if (found instanceof Findings.Unusable unusable) {
				throw new CudaUnavailableException(unusable.refusal().reason(), unusable.refusal().remedy(), null);
			}
			Findings.Usable usable = (Findings.Usable) found;
			known = new CudaDevice(usable.device(), usable.driverVersion(), this.driver.open(DEVICE));
			this.device = known;
		}
		return known;
	}

	private Findings look() {
		if (Files.exists(this.wslDevice)) {
			return Findings.unusable("under WSL2 a running kernel blocks the driver, and host memory cannot be pinned",
					"Run on native Linux, or leave ringkernel.backend at auto, which uses the CPU here.");
		}
		long begin = System.nanoTime();
		try {
			int version = this.driver.initialize();
			if (version < Versions.MINIMUM) {
				return Findings.unusable("the driver is for CUDA %s and %s is needed".formatted(Versions.text(version),
						Versions.text(Versions.MINIMUM)), "Install a newer NVIDIA driver: 550 or later.");
			}
			if (this.driver.deviceCount() == 0) {
				return Findings.unusable("there is no CUDA device", noDevice());
			}
			DeviceProperties found = this.driver.properties(DEVICE);
			PlanOffer.Refused refusal = refusal(found);
			return (refusal != null) ? new Findings.Unusable(refusal)
					: new Findings.Usable(found, version, Duration.ofNanos(System.nanoTime() - begin));
		}
		catch (CudaUnavailableException ex) {
			return Findings.unusable(ex.reason(), ex.remedy());
		}
		catch (CudaException ex) {
			return ex.status().isNoDevice() ? Findings.unusable("there is no CUDA device", noDevice())
					: Findings.unusable("the driver reports %s".formatted(ex.status().name()), ex.status().remedy());
		}
		catch (CudaDeadlineException ex) {
			return Findings.unusable("the driver did not return from %s in time".formatted(ex.call()),
					"Look at the device with nvidia-smi, and restart the process.");
		}
		catch (RuntimeException ex) {
			return Findings.unusable("looking for a device failed: " + ex, "Set ringkernel.backend to cpu.");
		}
	}

	private static String noDevice() {
		return "Look for the device with nvidia-smi; in a container, start it with --gpus all; check CUDA_VISIBLE_DEVICES.";
	}

	private static PlanOffer.@Nullable Refused refusal(DeviceProperties device) {
		if (device.capability() < MIN_CAPABILITY) {
			return new PlanOffer.Refused(
					"device '%s' has compute capability %s and 7.0 is needed".formatted(device.name(),
							device.capabilityText()),
					"Use a newer device, or put another one first with CUDA_VISIBLE_DEVICES.");
		}
		if (device.prohibited()) {
			return new PlanOffer.Refused("the compute mode of device '%s' lets nobody use it".formatted(device.name()),
					"Set it with nvidia-smi -c DEFAULT.");
		}
		if (!device.mapsHostMemory() || !device.registersHostMemory()) {
			return new PlanOffer.Refused("device '%s' cannot access host memory".formatted(device.name()),
					"Use another device.");
		}
		if (device.kernelTimeLimit()) {
			return new PlanOffer.Refused(
					"the driver limits how long a kernel may run on device '%s'".formatted(device.name()),
					"Use a device that drives no display; on Windows, one in TCC mode.");
		}
		if (!device.concurrentKernels()) {
			return new PlanOffer.Refused("device '%s' does not run kernels side by side".formatted(device.name()),
					"Use a newer device.");
		}
		return null;
	}

	/**
	 * Made when it is first asked for.
	 */
	private static final class SystemPlatform {

		private static final CudaPlatform INSTANCE = new CudaPlatform(CudaDriver.system());

	}

}
