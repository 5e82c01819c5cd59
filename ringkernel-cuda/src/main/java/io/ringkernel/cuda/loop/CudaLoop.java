package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.load.LaunchPolicy;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.load.OpenDevice;
import io.ringkernel.cuda.loop.LaunchState.Event;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.order.TicketOrder;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;

/**
 * The device loop as a CUDA kernel.
 * <p>
 * A kernel is asked to end for one of two reasons: it is to stop, or it yields while
 * another kernel is loaded. In both cases it is given the command to stop. A kernel that
 * is still wanted when it has ended is brought up again, and goes on where it was.
 *
 * @since 0.2.0
 */
public final class CudaLoop implements DeviceLoop {

	/** Far longer than a driver takes to answer that no kernel blocks. */
	private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final OpenDevice device;

	private final DeviceLoops loops;

	private final Admission admission;

	private final Duration patience;

	private final LoadedKernel kernel;

	private final LaunchPolicy policy;

	private final LaunchProgress progress;

	private final LoopFailure failure;

	private final Launcher launcher;

	private final LaunchStrategy strategy;

	private final HostRing ring;

	/** What it may have begun without answering it, once it was asked for. */
	private long @Nullable [] begun;

	/** The launch that was told to end, and had not when its time was up; 0 if none. */
	private volatile long overdue;

	/** Creates the loop of a kernel, which may take so long to end. */
	public CudaLoop(OpenDevice device, DeviceLoops loops, Admission admission, LoadedKernel kernel, KernelRegion region,
			LaunchPolicy policy, Duration patience) {
		this.device = device;
		this.loops = loops;
		this.admission = admission;
		this.patience = patience;
		this.kernel = kernel;
		this.policy = policy;
		this.ring = region.host();
		this.progress = new LaunchProgress(region.control());
		this.launcher = new Launcher(kernel, this.progress, this, idleTime(device, admission, kernel, policy));
		this.failure = new LoopFailure(kernel, this.progress, this.launcher, device.loss(), hintAtDelay(policy),
				patience);
		SilentKernel silence = new SilentKernel(region, device.timings().patienceWithSilence());
		this.strategy = policy.isPersistent()
				? new PersistentLoop(kernel, this.progress, this.launcher, this.failure, silence,
						device.timings().patience())
				: RelaunchingLoop.watched(kernel, this.progress, this.launcher, this.failure, silence, policy, region,
						device.timings().spinNanos());
	}

	/**
	 * Where a kernel holds up what happens beside it, it ends as soon as its policy says.
	 */
	private static IdleTime idleTime(OpenDevice device, Admission admission, LoadedKernel kernel, LaunchPolicy policy) {
		boolean mayStay = policy.timeLimitNanos() != 0 && !policy.isPersistent() && !policy.endsAtOnce()
				&& !kernel.transport().carries() && device.behaviour().worksBeside();
		return new IdleTime(policy.idleBudgetNanos(), () -> mayStay && admission.mayLinger(kernel), System.nanoTime());
	}

	private static String hintAtDelay(LaunchPolicy policy) {
		return policy.answersPerLaunch()
				? ", as it waits for kernels that run; a handler may take twice the request-timeout of its kernel, and at least 10 s"
				: "";
	}

	public LoadedKernel kernel() {
		return this.kernel;
	}

	/** How its ring gets to the device. */
	public Transport transport() {
		return this.policy.transport();
	}

	public LaunchState state() {
		return this.progress.state();
	}

	/**
	 * A kernel that meets a fault is ended with all others, wherever they are. What is
	 * published after its end was certainly not begun, so it is told once: a hand-over
	 * that fails asks again.
	 */
	@Override
	public synchronized long[] begun() {
		if (!(this.failure.cause() instanceof DeviceLostException)) {
			return new long[0];
		}
		long[] known = this.begun;
		if (known == null) {
			known = (this.policy.transport() == Transport.BRIDGED) ? TicketOrder.published(this.ring)
					: new TicketOrder(this.kernel.order(), this.kernel.grid().workers(), workersPerGroup())
						.begun(this.ring);
			this.begun = known;
		}
		return known.clone();
	}

	/** The blocks have their positions in turn. */
	@Override
	public int workersPerGroup() {
		return this.kernel.grid().workersPerBlock();
	}

	@Override
	public void start() {
		new LoopStart(this, this.strategy, this.launcher).by(this.admission, this.patience);
	}

	/**
	 * A launch is not on the device any more. Called on the driver's thread or on any
	 * other.
	 * @param byItself whether the kernel was not asked to end
	 */
	void ended(boolean byItself) {
		this.overdue = 0;
		if (!this.failure.isFinal()) {
			this.strategy.onEnd(byItself);
		}
	}

	void failed(RingKernelException cause) {
		this.failure.note(cause);
	}

	/**
	 * Gives everything that it holds to a loop that goes on with it under another policy.
	 */
	public LoadedKernel surrender() {
		LaunchState before = this.progress.apply(Event.CLOSE);
		if (before.isOnDevice() || before == LaunchState.CLOSED) {
			throw new IllegalStateException("a loop that is " + before + " has nothing to surrender");
		}
		this.strategy.close();
		this.loops.remove(this);
		return this.kernel;
	}

	/**
	 * Does not wait where this device is lost: what a kernel may still reach there is
	 * kept for ever, and serves nothing else.
	 */
	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		this.launcher.tell(Event.STOP);
		if (this.device.loss().cause() != null && this.device.loss().isOfThisDevice()) {
			return true;
		}
		boolean stopped = awaitEnd(Deadline.in(timeout));
		if (stopped) {
			settle();
			this.device.resources().reclaim();
		}
		return stopped || this.device.loss().cause() != null;
	}

	boolean awaitEnd(Deadline deadline) throws InterruptedException {
		long launch = this.progress.launch();
		boolean ended = deadline.await(this::isSeenToHaveEnded);
		if (!ended) {
			this.overdue = launch;
		}
		return ended;
	}

	/** Whether the kernel was told to end, was given its time, and has not ended. */
	boolean isOverdue() {
		return this.overdue != 0 && this.overdue == this.progress.launch() && !isSeenToHaveEnded();
	}

	/**
	 * Whether nothing of it is on the device any more, as far as that is known; if not,
	 * it will be soon. Waits for nothing.
	 */
	private boolean isSeenToHaveEnded() {
		if (this.progress.state().isOnDevice()) {
			this.strategy.lookForEnd();
		}
		return !this.progress.state().isOnDevice();
	}

	private void settle() {
		if (this.failure.cause() == null && this.progress.state() != LaunchState.CLOSED) {
			this.failure.noting(this.kernel.transport()::settle);
		}
	}

	/** Asks the kernel to end, and not to be launched, until it is resumed. */
	public void makeWay() {
		this.launcher.tell(Event.YIELD);
	}

	/**
	 * Keeps a kernel that is not on the device from being launched until it is resumed.
	 * Returns {@code false} if it may run.
	 */
	boolean yieldIfOut() {
		return this.progress.yieldIfOut();
	}

	/** Waits until all workers of a kernel that was launched have their places. */
	void awaitPlace(Deadline deadline) throws InterruptedException {
		WorkerStartCheck started = new WorkerStartCheck(this.kernel.control());
		deadline
			.await(() -> this.kernel.control().allCameUp() || started.absent() == 0 || this.failure.cause() != null);
	}

	/**
	 * Whether a kernel that is launched on demand still finds a place on the device. One
	 * that is there has one, and one that is out is launched with the command to stop.
	 */
	boolean findsPlace(Deadline deadline) throws InterruptedException {
		if (this.kernel.stays() || !yieldIfOut()) {
			return true;
		}
		try {
			return this.launcher.tryOut(deadline);
		}
		finally {
			resume();
		}
	}

	/**
	 * Brings a kernel that has yielded up again, if it is still wanted: now, or as soon
	 * as it has ended.
	 */
	public void resume() {
		this.progress.apply(Event.RESUME);
		if (this.progress.state().isWanted()) {
			this.failure.noting(this.strategy::bringUp);
		}
	}

	@Override
	public void doorbell() {
		this.strategy.doorbell();
	}

	@Override
	public void nudge() {
		this.strategy.look();
	}

	@Override
	public @Nullable Throwable failure() {
		this.strategy.look();
		this.failure.checkEnd();
		return this.failure.cause();
	}

	/**
	 * A loop that was closed counts as active until it has given back what it holds. Its
	 * owner closes it again.
	 */
	@Override
	public int activeWorkers() {
		this.strategy.look();
		LaunchState state = this.progress.state();
		if (!state.isOnDevice()) {
			return (state == LaunchState.LEFT) ? 1 : 0;
		}
		ControlBlock control = this.kernel.control();
		return (int) Math.max(1,
				IntStream.range(0, control.workers())
					.filter((worker) -> control.workerState(worker) != WorkerState.OUT)
					.count());
	}

	@Override
	public long deviceMemoryBytes() {
		return (this.progress.state() != LaunchState.CLOSED) ? this.kernel.memory().bytes() : 0;
	}

	@Override
	public Map<String, Object> launchParameters() {
		return this.kernel.describe();
	}

	@Override
	public KernelMemory memory(KernelSpec<?, ?> kernel) {
		return this.kernel.state(kernel);
	}

	@Override
	public long clockHertz() {
		return this.device.properties().clockHertz();
	}

	@Override
	public void close() {
		this.launcher.tell(Event.STOP);
		awaitLook();
		LaunchState before = this.progress.apply(Event.CLOSE);
		if (before != LaunchState.CLOSED && before.on(Event.CLOSE) == LaunchState.CLOSED) {
			this.strategy.close();
			this.loops.remove(this);
			this.kernel.release(this.device.resources());
		}
		this.device.resources().reclaim();
	}

	private void awaitLook() {
		if (isSeenToHaveEnded()) {
			return;
		}
		long begin = System.nanoTime();
		while (this.progress.state().isOnDevice() && this.strategy.isLooking()
				&& System.nanoTime() - begin < LONGEST_LOOK_NANOS) {
			LockSupport.parkNanos(LONGEST_LOOK_NANOS / 1_000);
		}
	}

}
