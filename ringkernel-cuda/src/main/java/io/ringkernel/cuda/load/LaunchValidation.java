package io.ringkernel.cuda.load;

import java.util.function.Supplier;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.driver.FunctionAttributes;
import io.ringkernel.cuda.driver.Versions;
import io.ringkernel.cuda.image.ImageCheck;
import io.ringkernel.cuda.image.ImageLayouts;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.cuda.image.KernelInfo;
import io.ringkernel.cuda.image.PtxHeader;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.UnusableImageException;

/**
 * What is checked of one kernel before it is launched. Each check that fails throws a
 * {@link KernelLaunchException} of its own.
 *
 * @since 0.2.0
 */
public final class LaunchValidation {

	private final KernelSpec<?, ?> kernel;

	private final DeviceProperties device;

	private final KernelImage image;

	private final ImageCheck check;

	public LaunchValidation(KernelSpec<?, ?> kernel, DeviceProperties device, KernelImage image) {
		this.kernel = kernel;
		this.device = device;
		this.image = image;
		this.check = new ImageCheck(kernel, image);
	}

	/** Checks that the image is one of the kernel, and that device and driver take it. */
	public void checkImage(int driverVersion) {
		this.check.check();
		PtxHeader ptx = this.image.ptx();
		if (ptx == null) {
			return;
		}
		if (ptx.target() > this.device.capability()) {
			throw new UnusableImageException(this.kernel.id(),
					"its image '%s' is built for compute capability %s, and %s has %s".formatted(this.image.location(),
							capability(ptx.target()), this.device.name(), this.device.capabilityText()),
					"Build it with a lower -arch, or use a newer device.", null);
		}
		if (!ptx.isFor(this.device.capability())) {
			throw new UnusableImageException(this.kernel.id(),
					"its image '%s' is built for %s, which other devices do not take, and %s has compute capability %s"
						.formatted(this.image.location(), ptx.architecture(), this.device.name(),
								this.device.capabilityText()),
					"Build it with an -arch without the letter at the end, or with the one of this device.", null);
		}
		if (ptx.requiredDriver() > driverVersion) {
			throw new UnusableImageException(this.kernel.id(),
					"its image '%s' is PTX %s, which drivers from CUDA %s on load, and this one is for CUDA %s"
						.formatted(this.image.location(), ptx.version(), Versions.text(ptx.requiredDriver()),
								Versions.text(driverVersion)),
					"Install a newer driver, or build the image with a lower .version.", null);
		}
	}

	private static String capability(int number) {
		return number / 10 + "." + number % 10;
	}

	UnusableImageException noEntry(String found) {
		return this.check.noEntry(found);
	}

	/** Checks what the loaded image tells about the kernel. */
	public KernelInfo checkInfo(byte[] bytes, Supplier<ImageLayouts> layouts) {
		KernelInfo info = this.check.checkInfo(bytes, layouts);
		if (info.isCooperative() && !this.device.cooperativeLaunch()) {
			throw fail(
					"the workers of '%s' wait for each other, and %s takes no cooperative launch, which that needs."
						.formatted(this.image.entry(), this.device.name()),
					"Use another device, or define the kernel with RING_KERNEL and without meetAll.");
		}
		return info;
	}

	/**
	 * Checks threads, registers and shared memory of a worker, and spreads the workers
	 * over blocks.
	 * @param taken how many multiprocessors other kernels take
	 */
	WorkerGrid checkWorkers(KernelInfo info, FunctionAttributes function, int taken) {
		KernelOptions options = this.kernel.options();
		int maxThreads = Math.min(function.maxThreadsPerBlock(), this.device.maxThreadsPerBlock());
		WorkerThreads chosen = WorkerThreads.choose(options, info, maxThreads, this.device.multiprocessors(), taken);
		int threads = chosen.perWorker();
		if (threads > info.maxThreadsPerWorker()) {
			throw fail("threads-per-worker = %d exceeds %d, the most that '%s' is built for. Lower it."
				.formatted(threads, info.maxThreadsPerWorker(), this.image.entry()));
		}
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
		return new WorkerGrid(options.workers(), perBlock, chosen, info.sharedBytesPerWorker(), info.isCooperative());
	}

	/** Checks that the device holds all blocks at once, if no other kernel runs. */
	void checkBlocks(WorkerGrid grid, int blocksPerMultiprocessor) {
		int capacity = blocksPerMultiprocessor * this.device.multiprocessors();
		if (grid.blocks() > capacity) {
			throw fail(
					"its %d workers make %d blocks, and %d multiprocessors hold %d at once.".formatted(grid.workers(),
							grid.blocks(), this.device.multiprocessors(), capacity),
					"Lower workers or threads-per-worker.");
		}
	}

	private KernelLaunchException fail(String problem, String remedy) {
		return new KernelLaunchException(this.kernel.id(), problem, remedy, null);
	}

	KernelLaunchException fail(String problem) {
		return new KernelLaunchException(this.kernel.id(), problem, null);
	}

}
