package io.ringkernel.cuda;

import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.ring.Backlog;
import io.ringkernel.ring.HostRing;

/**
 * A kernel that a thread sees to: one that is launched when something was published and
 * ends when it has found nothing for a while, or one whose bytes are carried.
 */
final class WatchedLoop extends CudaDeviceLoop implements LoopWatcher.Watched {

	/**
	 * How long a visit to the driver's thread waits for a request. It is short, so that
	 * the watcher that waits for the visit still spins when it returns.
	 */
	private static final long LONGEST_VISIT_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private final LaunchPolicy policy;

	private final HostRing ring;

	private final Backlog backlog;

	private final SilentKernel silence;

	private final LoopWatcher watcher;

	WatchedLoop(CudaDevice device, LoadedKernel kernel, KernelRegion region, LaunchPolicy policy) {
		super(device, kernel, region.control());
		this.policy = policy;
		this.ring = region.host();
		this.backlog = new Backlog(this.ring, region.control().startPosition());
		this.silence = new SilentKernel(region, device.patienceWithSilence());
		this.watcher = new LoopWatcher("ringkernel-" + kernel.id() + "-launcher", this, device.spinNanos());
	}

	WatchedLoop watch() {
		this.watcher.start();
		return this;
	}

	/**
	 * One look at everything: a kernel that has ended may be launched again at once.
	 * Between the moment at which a kernel is seen to have ended and the return of a turn
	 * that finds nothing to launch it for, this looks at the ring.
	 */
	@Override
	public LoopWatcher.Turn turn() {
		return turn(0);
	}

	/**
	 * A kernel that is out waits for its launch on the driver's thread, which then need
	 * not be told of it.
	 */
	@Override
	public LoopWatcher.Turn linger(long nanos) {
		return turn(nanos);
	}

	private LoopWatcher.Turn turn(long lingerNanos) {
		lock().lock();
		try {
			if (!hasEndedNow()) {
				return beside();
			}
			return isDue() && launchIfNeeded(lingerNanos) ? LoopWatcher.Turn.BUSY : LoopWatcher.Turn.OUT;
		}
		catch (Throwable ex) {
			// Whatever it is, no other thread will launch this kernel.
			fail(ex);
			return mayRun() ? LoopWatcher.Turn.RUNNING : LoopWatcher.Turn.OUT;
		}
		finally {
			lock().unlock();
		}
	}

	private boolean launchIfNeeded(long lingerNanos) {
		if (this.policy.isPersistent()) {
			launch();
			return true;
		}
		if (lingerNanos > 0) {
			return launchOnce(() -> isNeededWithin(lingerNanos));
		}
		boolean needed = !this.backlog.isEmpty();
		if (needed) {
			launch();
		}
		return needed;
	}

	/**
	 * Waits for a request: published or, where the kernel itself reads the host's memory,
	 * claimed. That is published before a launched kernel gets to look for it, unless its
	 * producer is held up: then the kernel ends for nothing, and is launched once more.
	 */
	private boolean isNeededWithin(long nanos) {
		long head = this.ring.head();
		long limit = Math.min(nanos, LONGEST_VISIT_NANOS);
		long begin = System.nanoTime();
		while (this.backlog.isEmpty()) {
			if (this.ring.head() != head && !transport().isCarried()) {
				return true;
			}
			if (!isDue() || context().isAwaited() || System.nanoTime() - begin >= limit) {
				return false;
			}
			Thread.onSpinWait();
		}
		return true;
	}

	private LoopWatcher.Turn beside() {
		if (!transport().isCarried()) {
			return this.policy.endsAtOnce() ? LoopWatcher.Turn.ENDING : LoopWatcher.Turn.RUNNING;
		}
		if (transport().whileRunning()) {
			return LoopWatcher.Turn.BUSY;
		}
		return transport().isAwaited() ? LoopWatcher.Turn.CARRYING : LoopWatcher.Turn.OUT;
	}

	@Override
	public void beforeSleep() {
		settle();
	}

	@Override
	void bringUp() {
		this.watcher.wake();
	}

	@Override
	void goOn() {
		this.watcher.wake();
	}

	@Override
	void lookForEnd() {
		this.watcher.wake();
	}

	/** The watcher does so all the time. */
	@Override
	boolean isLooking() {
		return true;
	}

	/**
	 * Every launch writes a heartbeat when it exits. If the host sees none, launch after
	 * launch, host and device do not see the same memory.
	 */
	@Override
	void endedByItself() {
		if (this.policy.isPersistent()) {
			fail(PersistentLoop.ending(kernel().id()));
		}
		else if (!transport().isCarried()) {
			if (this.silence.lasts(System.nanoTime())) {
				abandon("the kernel was launched for %s and has neither answered nor given a sign of life"
					.formatted(this.silence.patience()));
			}
			this.silence.beginAgain();
		}
	}

	@Override
	String hintAtDelay() {
		return this.policy.answersPerLaunch()
				? ", as it waits for kernels that run; a handler may take twice the request-timeout of its kernel, and at least 10 s"
				: "";
	}

	@Override
	void onRelease() {
		this.watcher.close();
	}

	@Override
	public void doorbell() {
		this.watcher.bell();
	}

	/** The watcher needs no reminder. */
	@Override
	public void nudge() {
	}

}
