package io.ringkernel.cuda;

import java.time.Duration;
import java.util.function.IntSupplier;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.DeviceLoss;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.cuda.image.Modules;
import io.ringkernel.cuda.load.DeviceTimings;
import io.ringkernel.cuda.load.KernelLoading;
import io.ringkernel.cuda.load.LaunchPolicy;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.load.OpenDevice;
import io.ringkernel.cuda.load.Room;
import io.ringkernel.cuda.loop.Admission;
import io.ringkernel.cuda.loop.CudaLoop;
import io.ringkernel.cuda.loop.DeviceLoops;
import io.ringkernel.cuda.loop.LoadLock;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.memory.DeferredReleases;
import io.ringkernel.cuda.memory.DeviceResources;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import org.jspecify.annotations.Nullable;

/**
 * A device of this process, with everything that runs on it, whichever runtime it belongs
 * to.
 */
final class CudaDevice {

	/**
	 * Where a running kernel holds up the driver, for how many times the time that a
	 * request may take: one may have to wait for another that is handled before it.
	 */
	private static final int TIMEOUTS_PER_LAUNCH = 2;

	private final OpenDevice device;

	private final DeviceLoops loops = new DeviceLoops();

	private final LoadLock loadLock;

	private final Admission admission;

	CudaDevice(DeviceProperties properties, int driverVersion, CudaContext context, Behaviour behaviour,
			IntSupplier opened) {
		DeviceLoss loss = new DeviceLoss(opened);
		DeferredReleases releases = new DeferredReleases();
		DeviceTimings timings = new DeviceTimings();
		this.loadLock = new LoadLock(this.loops, releases, loss);
		this.admission = new Admission(this.loadLock, this.loops, timings, properties.multiprocessors());
		this.device = new OpenDevice(properties, driverVersion, behaviour, context, new Modules(context),
				new DeviceResources(context, properties.memoryPools(), releases, this.loadLock), loss, timings);
	}

	DeviceProperties properties() {
		return this.device.properties();
	}

	CudaContext context() {
		return this.device.context();
	}

	DeviceResources resources() {
		return this.device.resources();
	}

	DeviceTimings timings() {
		return this.device.timings();
	}

	Admission admission() {
		return this.admission;
	}

	/** Why the device is lost to this process; {@code null} if it is not. */
	@Nullable Throwable lost() {
		return this.device.loss().cause();
	}

	/**
	 * Loads a kernel: checks its image and compiles that while all others run on, and
	 * while others are loaded; then does the rest under the lock, while they yield.
	 */
	CudaLoop load(KernelSpec<?, ?> kernel, KernelRegion region, CudaRingMemory memory, ExecutionMode mode,
			Transport transport) {
		Duration patience = kernel.options().stopTimeout();
		this.loadLock.requireDevice(kernel.id());
		if (!this.device.behaviour().worksBeside()) {
			context().requirePatience(kernel.options().requestTimeout().multipliedBy(TIMEOUTS_PER_LAUNCH));
		}
		LaunchPolicy policy = policy(kernel, mode, transport);
		if (policy.isPersistent()) {
			this.admission.requireRoomToStay(kernel.id());
		}
		KernelLoading loading = loading(kernel, policy);
		loading.prepare(this.loops.areInUse());
		return this.loadLock.during(kernel.id(), patience,
				() -> loop(loading.load(region, memory, room()), region, policy, patience));
	}

	/** Loads the code of a kernel that is to be loaded later, as {@link #load} does. */
	void prepare(KernelSpec<?, ?> kernel, ExecutionMode mode, Transport transport) {
		this.loadLock.requireDevice(kernel.id());
		KernelLoading loading = loading(kernel, policy(kernel, mode, transport));
		loading.prepare(this.loops.areInUse());
		this.loadLock.during(kernel.id(), kernel.options().stopTimeout(), loading::loadCode);
	}

	private Room room() {
		return new Room(properties().multiprocessors(), this.loops.wanted());
	}

	private KernelLoading loading(KernelSpec<?, ?> kernel, LaunchPolicy policy) {
		return new KernelLoading(this.device, kernel, KernelImage.of(kernel), policy);
	}

	/** Has another loop go on with what one has held that has ended for good. */
	CudaLoop takeOver(KernelSpec<?, ?> kernel, KernelRegion region, CudaRingMemory memory, CudaLoop before,
			ExecutionMode mode, Transport transport) {
		LaunchPolicy policy = policy(kernel, mode, transport);
		LoadedKernel next = (transport == before.transport())
				? before.kernel().under(policy, before.kernel().transport())
				: moved(kernel, region, memory, before, policy);
		LoadedKernel surrendered = before.surrender();
		if (surrendered.graph() != null) {
			resources().destroyLater(surrendered.graph());
		}
		return loop(next, region, policy, kernel.options().stopTimeout());
	}

	/**
	 * Opens another transport, which takes memory and is tried out, while all others
	 * yield.
	 */
	private LoadedKernel moved(KernelSpec<?, ?> kernel, KernelRegion region, CudaRingMemory memory, CudaLoop before,
			LaunchPolicy policy) {
		KernelLoading loading = loading(kernel, policy);
		return this.loadLock.during(kernel.id(), kernel.options().stopTimeout(),
				() -> loading.move(before.kernel(), region, memory));
	}

	private LaunchPolicy policy(KernelSpec<?, ?> kernel, ExecutionMode mode, Transport transport) {
		return LaunchPolicy.of(mode, transport, this.device.behaviour(), kernel.options());
	}

	private CudaLoop loop(LoadedKernel loaded, KernelRegion region, LaunchPolicy policy, Duration patience) {
		region.control().serveBy(loaded.grid().workers());
		CudaLoop loop = new CudaLoop(this.device, this.loops, this.admission, loaded, region, policy, patience);
		this.loops.add(loop);
		return loop;
	}

}
