package io.ringkernel.cuda.loop;

import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.load.LaunchPolicy;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.cuda.transport.RingTransport;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.order.Backlog;

/**
 * A kernel that a thread sees to: it is launched when something was published and ends
 * when it has found nothing for a while.
 */
final class RelaunchingLoop implements LaunchStrategy {

	/**
	 * How long a visit to the driver's thread waits for a request. It is short, so that
	 * the watcher that waits for the visit still spins when it returns.
	 */
	private static final long LONGEST_VISIT_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	/**
	 * How often the driver is asked whether a kernel over mapped memory has ended. Its
	 * workers tell that without the driver, unless one of them has met a fault.
	 */
	private static final long QUERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final LoadedKernel kernel;

	private final RingTransport transport;

	private final LaunchProgress progress;

	private final Launcher launcher;

	private final LoopFailure failure;

	private final SilentKernel silence;

	private final LaunchPolicy policy;

	private final HostRing ring;

	private final Backlog backlog;

	private final LoopWatcher watcher;

	/** When the watcher last visited the driver's thread. */
	private long visitedAt;

	/** The head of the ring at the last look for a claim; of the driver's thread. */
	private long seenHead;

	private RelaunchingLoop(LoadedKernel kernel, LaunchProgress progress, Launcher launcher, LoopFailure failure,
			SilentKernel silence, LaunchPolicy policy, KernelRegion region, long spinNanos) {
		this.kernel = kernel;
		this.transport = kernel.transport();
		this.progress = progress;
		this.launcher = launcher;
		this.failure = failure;
		this.silence = silence;
		this.policy = policy;
		this.ring = region.host();
		this.backlog = new Backlog(this.ring, region.control().startPosition());
		this.seenHead = region.control().startPosition();
		this.watcher = new LoopWatcher("ringkernel-" + kernel.id() + "-launcher", this, spinNanos);
	}

	static RelaunchingLoop watched(LoadedKernel kernel, LaunchProgress progress, Launcher launcher, LoopFailure failure,
			SilentKernel silence, LaunchPolicy policy, KernelRegion region, long spinNanos) {
		RelaunchingLoop loop = new RelaunchingLoop(kernel, progress, launcher, failure, silence, policy, region,
				spinNanos);
		loop.watcher.start();
		return loop;
	}

	/**
	 * One look at everything: a kernel that has ended may be launched again at once.
	 * Between the moment at which a kernel is seen to have ended and the return of a turn
	 * that finds nothing to launch it for, this looks at the ring. Throws nothing.
	 * @param lingerNanos how long a kernel that is out waits for its launch at most: on
	 * the driver's thread, which then need not be told of it
	 */
	LoopWatcher.Turn turn(long lingerNanos) {
		try {
			LoopWatcher.Turn turn = step(lingerNanos);
			return (this.failure.cause() == null) ? turn : LoopWatcher.Turn.OUT;
		}
		catch (Throwable ex) {
			// Whatever it is, no other thread will launch this kernel.
			this.failure.note(ex);
			boolean looksOn = this.failure.cause() == null && this.progress.state().isOnDevice();
			return looksOn ? LoopWatcher.Turn.RUNNING : LoopWatcher.Turn.OUT;
		}
	}

	private LoopWatcher.Turn step(long lingerNanos) {
		LaunchState state = this.progress.state();
		if (state.isOnDevice() ? !mayHaveEnded() : !mayBeLaunched(state, lingerNanos)) {
			return state.isOnDevice() ? beside() : LoopWatcher.Turn.OUT;
		}
		this.visitedAt = System.nanoTime();
		return switch (this.launcher.visit(() -> isNeeded(lingerNanos))) {
			case RUNS -> beside();
			case LAUNCHED -> LoopWatcher.Turn.BUSY;
			case OUT -> LoopWatcher.Turn.OUT;
		};
	}

	private boolean mayHaveEnded() {
		return this.transport.carries() || this.launcher.haveWorkersEnded()
				|| System.nanoTime() - this.visitedAt > QUERY_NANOS;
	}

	private boolean mayBeLaunched(LaunchState state, long lingerNanos) {
		return state == LaunchState.DUE && (lingerNanos > 0 || isNeeded(0));
	}

	private boolean isNeeded(long lingerNanos) {
		return (lingerNanos > 0) ? isNeededWithin(lingerNanos) : !this.backlog.isEmpty();
	}

	/**
	 * Waits for a request: published or, where the kernel itself reads the host's memory,
	 * claimed. That is published before a launched kernel gets to look for it, unless its
	 * producer is held up: then the kernel ends for nothing, and is launched once more.
	 */
	private boolean isNeededWithin(long nanos) {
		long limit = Math.min(nanos, LONGEST_VISIT_NANOS);
		long begin = System.nanoTime();
		while (this.backlog.isEmpty()) {
			if (!this.transport.carries() && isClaimed()) {
				return true;
			}
			if (this.progress.state() != LaunchState.DUE || context().isAwaited()
					|| System.nanoTime() - begin >= limit) {
				return false;
			}
			Thread.onSpinWait();
		}
		return true;
	}

	/**
	 * Whether a position was claimed since the last look, between two visits as well, and
	 * its request is still to come. Each claim is found once.
	 */
	private boolean isClaimed() {
		long head = this.ring.claims().head();
		boolean isNew = head != this.seenHead;
		this.seenHead = head;
		return isNew && !this.ring.requests().isPublished(head - 1);
	}

	private LoopWatcher.Turn beside() {
		if (!this.transport.carries()) {
			return this.policy.endsAtOnce() ? LoopWatcher.Turn.ENDING : LoopWatcher.Turn.RUNNING;
		}
		return this.transport.whileRunning() ? LoopWatcher.Turn.BUSY : LoopWatcher.Turn.CARRYING;
	}

	/**
	 * Does what is left to do before the watcher sleeps until a producer rings. Throws
	 * nothing.
	 */
	void beforeSleep() {
		if (this.failure.cause() == null) {
			this.failure.noting(this.transport::settle);
		}
	}

	@Override
	public void bringUp() {
		this.watcher.wake();
	}

	/** The watcher does so all the time, until the loop is broken. */
	@Override
	public void look() {
		if (this.failure.cause() != null && this.progress.state().isOnDevice()) {
			this.watcher.wake();
		}
	}

	@Override
	public void lookForEnd() {
		this.watcher.wake();
	}

	@Override
	public boolean isLooking() {
		return true;
	}

	/**
	 * Every launch writes a heartbeat when it exits. If the host sees none, launch after
	 * launch, host and device do not see the same memory.
	 */
	@Override
	public void onEnd(boolean byItself) {
		if (byItself && !this.transport.carries()) {
			if (this.silence.lasts(System.nanoTime())) {
				this.failure.abandon("the kernel was launched for %s and has neither answered nor given a sign of life"
					.formatted(this.silence.patience()));
			}
			this.silence.beginAgain();
		}
	}

	@Override
	public void doorbell() {
		this.watcher.bell();
	}

	@Override
	public void close() {
		this.watcher.close();
	}

	private CudaContext context() {
		return this.kernel.context();
	}

}
