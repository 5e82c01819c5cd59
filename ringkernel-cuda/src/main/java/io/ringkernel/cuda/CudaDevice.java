package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.ringkernel.KernelLaunchException;
import io.ringkernel.KernelStuckException;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaGraph;
import io.ringkernel.cuda.driver.CudaModule;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.driver.ManagedMemory;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.cuda.image.ModuleImage;
import io.ringkernel.cuda.image.Modules;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import org.jspecify.annotations.Nullable;

/**
 * A device of this process, with everything that runs on it, whichever runtime it belongs
 * to.
 * <p>
 * The driver holds up loading, registering and freeing while a kernel runs. So all
 * kernels of the process are asked to yield for that: they end after the requests at
 * hand, keeping their place in the ring, and are launched again afterwards. What is to be
 * freed waits for such a moment.
 */
final class CudaDevice {

	/** A driver that works answers within microseconds, a kernel within milliseconds. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/**
	 * Where a running kernel holds up the driver, for how many times the time that a
	 * request may take: one may have to wait for another that is handled before it.
	 */
	private static final int TIMEOUTS_PER_LAUNCH = 2;

	private final DeviceProperties properties;

	private final int driverVersion;

	private final CudaContext context;

	private final Behaviour behaviour;

	/** Held by a thread that launches, or during whose calls nothing may be launched. */
	private final ReentrantLock launching = new ReentrantLock();

	private final DeviceLoops loops = new DeviceLoops();

	/** Used with the lock held. */
	private final Modules modules;

	private final DeferredReleases releases = new DeferredReleases();

	private final Registrations registrations = new Registrations(this);

	private final ManagedRings managedRings = new ManagedRings(this);

	private final DeviceHeap heap;

	private volatile Duration patience = PATIENCE;

	private volatile long spinNanos = LoopWatcher.SPIN_NANOS;

	private volatile @Nullable Throwable lost;

	CudaDevice(DeviceProperties properties, int driverVersion, CudaContext context, Behaviour behaviour) {
		this.properties = properties;
		this.driverVersion = driverVersion;
		this.context = context;
		this.modules = new Modules(context);
		this.behaviour = behaviour;
		this.heap = new DeviceHeap(this);
		context.releaseLateResults(this::releaseLater);
	}

	DeviceProperties properties() {
		return this.properties;
	}

	int driverVersion() {
		return this.driverVersion;
	}

	CudaContext context() {
		return this.context;
	}

	/**
	 * Loads a kernel: checks its image and compiles that while all others run on, then
	 * does the rest while they yield.
	 */
	CudaLoop load(KernelSpec<?, ?> kernel, KernelRegion region, CudaRingMemory memory, ExecutionMode mode,
			Transport transport) {
		KernelImage image = KernelImage.of(kernel);
		Duration patience = kernel.options().stopTimeout();
		return exclusively(kernel.id(), () -> {
			LaunchPolicy policy = LaunchPolicy.of(mode, transport, this.behaviour, kernel.options());
			if (!this.behaviour.worksBeside()) {
				this.context.requirePatience(kernel.options().requestTimeout().multipliedBy(TIMEOUTS_PER_LAUNCH));
			}
			KernelLoading loading = new KernelLoading(this, kernel, image, region, policy);
			loading.prepare();
			return whileOthersYield(kernel.id(), patience, () -> loop(loading.load(memory), region, policy, patience));
		});
	}

	/**
	 * Has another loop go on with what one has held that has ended for good.
	 */
	CudaLoop takeOver(KernelSpec<?, ?> kernel, KernelRegion region, CudaRingMemory memory, CudaLoop before,
			ExecutionMode mode, Transport transport) {
		LaunchPolicy policy = LaunchPolicy.of(mode, transport, this.behaviour, kernel.options());
		if (!policy.isPersistent()) {
			requirePlace(before.kernel());
		}
		LoadedKernel next = (policy.transport() == Transport.BRIDGED) ? bridged(kernel, region, memory, before, policy)
				: before.kernel().under(policy, before.kernel().transport());
		LoadedKernel surrendered = before.surrender();
		if (surrendered.graph() != null) {
			destroyLater(surrendered.graph());
		}
		return loop(next, region, policy, kernel.options().stopTimeout());
	}

	/**
	 * Builds a bridge, which takes memory and is tried out, while all others yield.
	 */
	private LoadedKernel bridged(KernelSpec<?, ?> kernel, KernelRegion region, CudaRingMemory memory, CudaLoop before,
			LaunchPolicy policy) {
		KernelImage image = KernelImage.of(kernel);
		return exclusively(kernel.id(), () -> whileOthersYield(kernel.id(), kernel.options().stopTimeout(),
				() -> new KernelLoading(this, kernel, image, region, policy).bridge(before.kernel(), memory)));
	}

	/**
	 * How long the driver may take to answer while a kernel runs.
	 */
	Duration patience() {
		return this.patience;
	}

	/**
	 * How long a kernel that was launched may show no sign of life while requests wait:
	 * less than those have by default.
	 */
	Duration patienceWithSilence() {
		return this.patience.dividedBy(3);
	}

	void patience(Duration patience) {
		this.patience = patience;
	}

	/**
	 * How long a thread spins after its last event before it parks.
	 */
	long spinNanos() {
		return this.spinNanos;
	}

	void spinNanos(long nanos) {
		this.spinNanos = nanos;
	}

	private CudaLoop loop(LoadedKernel loaded, KernelRegion region, LaunchPolicy policy, Duration patience) {
		CudaLoop loop = new CudaLoop(this, loaded, region, policy, patience);
		this.loops.add(loop);
		return loop;
	}

	/**
	 * The module of an image, loaded once. Only called while no kernel runs.
	 */
	CudaModule module(ModuleImage image) {
		return this.modules.load(image);
	}

	/**
	 * Compiles an image if kernels run, which is done beside them. Otherwise it is left
	 * to its load: the driver then keeps what it has compiled for other processes.
	 */
	void compile(ModuleImage image) {
		if (this.loops.areInUse()) {
			this.modules.compile(image);
		}
	}

	/**
	 * Launches a kernel if all its workers find a place beside the kernels that run.
	 * @throws PlanFailedException if some do not; nothing of it is on the device then
	 */
	void launch(LoadedKernel kernel, CoResidency.Starting starting) {
		exclusively(kernel.id(), () -> {
			checkRoom(kernel);
			List<LoadedKernel> running = this.loops.beside(kernel);
			try {
				int absent = CoResidency.absentAfter(kernel, running, starting, patienceWithSilence());
				if (absent > 0) {
					starting.withdraw();
					throw refused(kernel, absent, running);
				}
			}
			catch (KernelStuckException ex) {
				starting.withdraw();
				throw ex;
			}
			catch (InterruptedException ex) {
				starting.withdraw();
				throw interrupted(kernel.id(), ex);
			}
			return Boolean.TRUE;
		});
	}

	/**
	 * Checks that a kernel which has ended finds a place if it is launched on demand from
	 * now on.
	 * @throws PlanFailedException if it does not; nothing of it is on the device then
	 */
	private void requirePlace(LoadedKernel kernel) {
		exclusively(kernel.id(), () -> {
			List<LoadedKernel> running = this.loops.beside(kernel);
			try {
				if (!CoResidency.findsPlace(kernel, running, Deadline.in(patienceWithSilence()))) {
					throw refused(kernel, kernel.grid().workers(), running);
				}
			}
			catch (InterruptedException ex) {
				throw interrupted(kernel.id(), ex);
			}
			return Boolean.TRUE;
		});
	}

	private PlanFailedException refused(LoadedKernel kernel, int absent, List<LoadedKernel> running) {
		drain(kernel);
		return new PlanFailedException(kernel.id(), CoResidency.refusal(kernel, absent, running, patienceWithSilence()),
				"Lower the workers or threads-per-worker of one of them, run one on another device, or terminate one.",
				null);
	}

	/**
	 * Has the blocks of a kernel that wait for a place find one, and end.
	 */
	private void drain(LoadedKernel kernel) {
		Duration patience = this.patience;
		whileOthersYield(kernel.id(), patience, () -> {
			try {
				return Deadline.in(patience).await(kernel::isDone);
			}
			catch (InterruptedException ex) {
				throw interrupted(kernel.id(), ex);
			}
		});
	}

	void checkRoom(LoadedKernel kernel) {
		CoResidency.check(kernel, this.loops.beside(kernel), this.properties.multiprocessors());
	}

	/**
	 * The host's memory that the device may reach.
	 */
	Registrations registrations() {
		return this.registrations;
	}

	ManagedRings managedRings() {
		return this.managedRings;
	}

	/**
	 * Memory for what outlives requests.
	 */
	DeviceHeap heap() {
		return this.heap;
	}

	/**
	 * Allocates managed memory, while all kernels yield.
	 */
	ManagedMemory allocateManaged(String id, int bytes, Duration patience) {
		return exclusively(id, () -> whileOthersYield(id, patience, () -> this.context.allocateManaged(bytes)));
	}

	void freeLater(DevicePointer memory) {
		releaseLater(() -> this.context.free(memory));
	}

	void destroyLater(CudaGraph graph) {
		releaseLater(() -> this.context.destroy(graph));
	}

	void destroyLater(CudaStream stream) {
		releaseLater(() -> this.context.destroy(stream));
	}

	/**
	 * Does something once no kernel runs, and none is about to.
	 */
	void releaseLater(Runnable release) {
		this.releases.add(release);
		reclaim();
	}

	void remove(CudaLoop loop) {
		this.loops.remove(loop);
	}

	/**
	 * Gives back what waits for it, if no kernel runs and none is about to.
	 */
	void reclaim() {
		if (!this.releases.isEmpty() && this.lost == null && !this.launching.isHeldByCurrentThread()
				&& this.launching.tryLock()) {
			try {
				releaseIfAllAreOut();
			}
			finally {
				this.launching.unlock();
			}
		}
	}

	private void releaseIfAllAreOut() {
		YieldTicket ticket = this.loops.yieldIfOut();
		if (ticket != null) {
			try {
				this.releases.run();
			}
			finally {
				ticket.close();
			}
		}
	}

	/**
	 * Allocates device memory; if there is too little, gives back first what waits for
	 * it.
	 */
	DevicePointer allocate(long bytes, Duration patience) {
		try {
			return this.heap.allocate(bytes, patience);
		}
		catch (CudaException ex) {
			if (!ex.status().isOutOfMemory() || this.releases.isEmpty()) {
				throw ex;
			}
			String what = "memory";
			return exclusively(what, () -> whileOthersYield(what, patience, () -> this.heap.allocate(bytes, patience)));
		}
	}

	/**
	 * Notes that the device is lost to this process. What it may reach is kept for ever.
	 */
	void lose(Throwable cause) {
		this.lost = cause;
	}

	/**
	 * Why the device is lost, if it is.
	 */
	@Nullable Throwable lost() {
		return this.lost;
	}

	private <T> T exclusively(String id, Supplier<T> body) {
		Throwable cause = this.lost;
		if (cause != null) {
			throw new KernelLaunchException(id,
					"this process has lost the device: %s Restart the application.".formatted(cause.getMessage()),
					cause);
		}
		try {
			Duration longest = KernelLoading.LONGEST;
			if (!this.launching.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new KernelLaunchException(id,
						"another kernel is being loaded and was not done within %s. Try again.".formatted(longest),
						null);
			}
		}
		catch (InterruptedException ex) {
			throw interrupted(id, ex);
		}
		try {
			return body.get();
		}
		finally {
			this.launching.unlock();
			reclaim();
		}
	}

	private <T> T whileOthersYield(String id, Duration patience, Supplier<T> body) {
		YieldTicket ticket = yieldOthers(id, patience);
		try {
			this.releases.run();
			return body.get();
		}
		finally {
			this.releases.run();
			ticket.close();
		}
	}

	private YieldTicket yieldOthers(String id, Duration patience) {
		try {
			return this.loops.haveYielded(id, patience);
		}
		catch (InterruptedException ex) {
			throw interrupted(id, ex);
		}
	}

	static RingKernelException interrupted(String id, InterruptedException ex) {
		Thread.currentThread().interrupt();
		return new KernelLaunchException(id, "its launch was interrupted. Try again.", ex);
	}

}
