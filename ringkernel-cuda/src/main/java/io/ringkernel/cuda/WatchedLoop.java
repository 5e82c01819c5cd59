package io.ringkernel.cuda;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.ring.Backlog;

/**
 * A kernel that a thread sees to: one that is launched when something was published and
 * ends when it has found nothing for a while, or one whose bytes are carried.
 */
final class WatchedLoop extends CudaDeviceLoop implements LoopWatcher.Watched {

	private final LaunchPolicy policy;

	private final Backlog backlog;

	private final LoopWatcher watcher;

	WatchedLoop(CudaDevice device, LoadedKernel kernel, KernelRegion region, LaunchPolicy policy) {
		super(device, kernel, region.control());
		this.policy = policy;
		this.backlog = new Backlog(region.host(), region.control().startPosition());
		this.watcher = new LoopWatcher("ringkernel-" + kernel.id() + "-launcher", this);
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
		lock().lock();
		try {
			if (!hasEndedNow()) {
				return beside();
			}
			if (!isDue() || (!this.policy.isPersistent() && this.backlog.isEmpty())) {
				return LoopWatcher.Turn.OUT;
			}
			launch();
			return LoopWatcher.Turn.BUSY;
		}
		catch (Throwable ex) {
			// Whatever it is, nobody else will launch this kernel.
			fail(ex);
			return mayRun() ? LoopWatcher.Turn.RUNNING : LoopWatcher.Turn.OUT;
		}
		finally {
			lock().unlock();
		}
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

	@Override
	void endedByItself() {
		if (this.policy.isPersistent()) {
			fail(PersistentLoop.ending(kernel().id()));
		}
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
