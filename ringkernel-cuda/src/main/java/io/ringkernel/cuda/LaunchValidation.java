package io.ringkernel.cuda;

import java.util.function.Supplier;

import io.ringkernel.KernelLaunchException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.driver.FunctionAttributes;
import io.ringkernel.message.MessageLayout;

/**
 * What is checked of one kernel before it is launched. Each check that fails throws a
 * {@link KernelLaunchException} of its own.
 */
final class LaunchValidation {

	private final KernelSpec<?, ?> kernel;

	private final DeviceProperties device;

	private final KernelImage image;

	LaunchValidation(KernelSpec<?, ?> kernel, DeviceProperties device, KernelImage image) {
		this.kernel = kernel;
		this.device = device;
		this.image = image;
	}

	/**
	 * Checks that the device and its driver take the image at all.
	 */
	void checkImage(int driverVersion) {
		PtxHeader ptx = this.image.ptx();
		if (ptx == null) {
			return;
		}
		if (ptx.target() > this.device.capability()) {
			throw fail(
					"its image '%s' is built for compute capability %s, and %s has %s.".formatted(this.image.location(),
							capability(ptx.target()), this.device.name(), this.device.capabilityText()),
					"Build it with a lower -arch, or use a newer device.");
		}
		if (ptx.requiredDriver() > driverVersion) {
			throw fail(
					"its image '%s' is PTX %d.%d, which drivers from CUDA %s on load, and this one is for CUDA %s."
						.formatted(this.image.location(), ptx.major(), ptx.minor(), Versions.text(ptx.requiredDriver()),
								Versions.text(driverVersion)),
					"Install a newer driver, or build the image with a lower .version.");
		}
		if (!ptx.entries().contains(this.image.entry())) {
			throw noEntry(ptx.entries().isEmpty() ? "it has none" : "it has " + String.join(", ", ptx.entries()));
		}
	}

	private static String capability(int number) {
		return number / 10 + "." + number % 10;
	}

	KernelLaunchException noEntry(String found) {
		return fail(
				"its image '%s' has no entry '%s'; %s. Name the right one behind a '#' in the image's location, or define it with RING_KERNEL(%s, …)."
					.formatted(this.image.location(), this.image.entry(), found, this.image.entry()));
	}

	/**
	 * Checks what the image tells about the kernel against the Java side.
	 */
	KernelInfo checkInfo(byte[] bytes, Supplier<ImageLayouts> layouts) {
		if (!KernelInfo.isInfo(bytes)) {
			throw fail(
					"'%s_info' in its image '%s' is no description of a ring kernel. Define the kernel with RING_KERNEL of this version's ringkernel/ring_kernel.cuh."
						.formatted(this.image.entry(), this.image.location()));
		}
		KernelInfo info = KernelInfo.read(bytes);
		if (info.abiVersion() != ControlBlock.ABI_VERSION) {
			throw fail(
					"its image '%s' speaks version %d of the ring, and this library version %d. Build it with this version's headers."
						.formatted(this.image.location(), info.abiVersion(), ControlBlock.ABI_VERSION));
		}
		checkLayout("request", this.kernel.requests(), info.requestFingerprint(), info.requestFixedBytes(),
				info.requestMaxBytes(), () -> layouts.get().request());
		checkLayout("response", this.kernel.responses(), info.responseFingerprint(), info.responseFixedBytes(),
				info.responseMaxBytes(), () -> layouts.get().response());
		if (info.isCooperative() && !this.device.cooperativeLaunch()) {
			throw fail(
					"the workers of '%s' wait for each other, and %s takes no cooperative launch, which that needs."
						.formatted(this.image.entry(), this.device.name()),
					"Use another device, or define the kernel with RING_KERNEL and without meetAll.");
		}
		return info;
	}

	private void checkLayout(String which, MessageLayout<?> layout, long fingerprint, int fixedBytes, int maxBytes,
			Supplier<String> inImage) {
		if (layout.fingerprint() != fingerprint || layout.fixedSize() != fixedBytes || layout.maxSize() != maxBytes) {
			throw fail(
					"its image '%s' has another %s: a fixed block of %d B, at most %d B, fingerprint %016x, where Java has a fixed block of %d B, at most %d B, fingerprint %016x. In Java it is\n%s%s"
						.formatted(this.image.location(), which, fixedBytes, maxBytes, fingerprint, layout.fixedSize(),
								layout.maxSize(), layout.fingerprint(), layout.describe(), stated(inImage.get())),
					"Generate the headers from the records and build the image anew.");
		}
	}

	private static String stated(String layout) {
		return layout.isEmpty() ? "and the image does not state its own." : "and in the image\n" + layout;
	}

	/**
	 * Checks threads, registers and shared memory of a worker, and spreads the workers
	 * over blocks.
	 */
	WorkerGrid checkWorkers(KernelInfo info, FunctionAttributes function) {
		KernelOptions options = this.kernel.options();
		int threads = options.threadsPerWorker();
		if (threads > info.maxThreadsPerWorker()) {
			throw fail("threads-per-worker = %d exceeds %d, the most that '%s' is built for. Lower it."
				.formatted(threads, info.maxThreadsPerWorker(), this.image.entry()));
		}
		int maxThreads = Math.min(function.maxThreadsPerBlock(), this.device.maxThreadsPerBlock());
		if (threads > maxThreads) {
			throw fail(
					"threads-per-worker = %d exceeds %d, the most threads of a block with the %d registers a thread that '%s' uses. Lower it, or bound the registers with -maxrregcount."
						.formatted(threads, maxThreads, function.registersPerThread(), this.image.entry()));
		}
		int maxShared = this.device.maxSharedBytesPerBlock() - function.staticSharedBytes();
		if (info.sharedBytesPerWorker() > maxShared) {
			throw fail(
					"a worker needs %d B of shared memory, and a block has %d B beside the %d B that '%s' declares. Lower what it declares."
						.formatted(info.sharedBytesPerWorker(), Math.max(0, maxShared), function.staticSharedBytes(),
								this.image.entry()));
		}
		int perBlock = Math.min(options.workers(),
				Math.max(1, Math.min(maxThreads, WorkerGrid.THREADS_PER_BLOCK) / threads));
		if (info.sharedBytesPerWorker() > 0) {
			perBlock = Math.min(perBlock, maxShared / info.sharedBytesPerWorker());
		}
		return new WorkerGrid(options.workers(), perBlock, threads, info.sharedBytesPerWorker(), info.isCooperative());
	}

	private KernelLaunchException fail(String problem, String remedy) {
		return new KernelLaunchException(this.kernel.id(), problem, remedy, null);
	}

	KernelLaunchException fail(String problem) {
		return new KernelLaunchException(this.kernel.id(), problem, null);
	}

}
