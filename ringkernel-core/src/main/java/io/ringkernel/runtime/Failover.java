package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.KernelState;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.PartlyRestoredException;
import io.ringkernel.session.KernelSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a loop of another plan go on with the session of a kernel when the plan of the
 * present loop fails. A kernel that has left its device because that was lost returns to
 * it: a thread that exists only while the kernel is away tries again and again, after
 * longer and longer rests.
 */
final class Failover<I extends Record, O extends Record> {

	private static final Logger logger = LoggerFactory.getLogger(Kernel.class);

	private static final Duration SHORTEST_REST = Duration.ofMillis(50);

	private static final Duration LONGEST_REST = Duration.ofSeconds(10);

	private final KernelSpec<I, O> spec;

	private final KernelSessions<I, O> sessions;

	private final KernelPlacement placement;

	private final StateKeeper keeper;

	private final LifecycleLock lock;

	private @Nullable Thread failback;

	/** What is to start again once it has come to rest. */
	private volatile @Nullable DeviceLoop unrested;

	private @Nullable Thread restart;

	Failover(KernelSpec<I, O> spec, KernelSessions<I, O> sessions, KernelPlacement placement, StateKeeper keeper,
			LifecycleLock lock) {
		this.spec = spec;
		this.sessions = sessions;
		this.placement = placement;
		this.keeper = keeper;
		this.lock = lock;
	}

	/** Starts the loop of a session, or one of another plan if that of the loop fails. */
	void start(KernelSession<I, O> current) {
		try {
			current.loop().start();
			this.unrested = null;
		}
		catch (PlanFailedException ex) {
			if (!this.placement.handOver(current, ex, this.keeper, true)) {
				throw KernelPlacement.noOtherPlan(this.spec.id(), ex);
			}
			beginFailback();
		}
	}

	/**
	 * Starts a loop that was at rest. One that has not come to rest is started by another
	 * thread once it has.
	 * @param failure what was thrown meanwhile, which is not to be hidden
	 */
	void startAgain(KernelSession<I, O> current, @Nullable Throwable failure) throws InterruptedException {
		try {
			start(current);
		}
		catch (RuntimeException | Error ex) {
			if (ex instanceof KernelStuckException) {
				startOnceAtRest(current.loop().current());
			}
			else {
				breakOff(current, ex);
			}
			if (failure == null) {
				throw ex;
			}
			failure.addSuppressed(ex);
		}
	}

	private synchronized void startOnceAtRest(DeviceLoop loop) {
		this.unrested = loop;
		if (this.restart == null) {
			this.restart = startThread("restart", this::restart);
		}
	}

	/** Attempts keep other kernels from the device, so each follows a longer rest. */
	private void restart() {
		long rest = SHORTEST_REST.toNanos();
		while (isStillUnrested()) {
			LockSupport.parkNanos(this, rest);
			try {
				DeviceLoop loop = this.unrested;
				if (loop != null && loop.activeWorkers() == 0) {
					rest = Math.min(2 * rest, LONGEST_REST.toNanos());
					this.lock.hold("start again", this::startUnrested);
				}
			}
			catch (RuntimeException | Error ex) {
				logger.warn("Ring kernel '{}' could not start again", this.spec.id(), ex);
			}
		}
	}

	private void startUnrested() throws InterruptedException {
		KernelSession<I, O> current = this.sessions.session();
		if (current != null && isUnrested(current)) {
			startAgain(current, null);
		}
	}

	/** If not, the thread ends, and the next loop that does not rest begins another. */
	private synchronized boolean isStillUnrested() {
		KernelSession<I, O> current = this.sessions.session();
		if (current == null || !isUnrested(current)) {
			this.unrested = null;
			this.restart = null;
		}
		return this.restart != null;
	}

	/** What has failed is handed over, or has ended. */
	private boolean isUnrested(KernelSession<I, O> current) {
		return isActive() && current.loop().current().equals(this.unrested) && current.loop().failure() == null;
	}

	/**
	 * Hands the ring over on a thread of its own: the thread that finds that the plan has
	 * failed waits for a response, or dispatches it.
	 */
	void handOverSoon(PlanFailedException why) {
		startThread("hand-over", () -> handOver(why));
	}

	private Thread startThread(String name, Runnable body) {
		Thread thread = new Thread(null, body, "ringkernel-" + this.spec.id() + "-" + name, 0, false);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	private void handOver(PlanFailedException why) {
		try {
			this.lock.hold("move", () -> {
				KernelSession<I, O> current = this.sessions.session();
				boolean broken = current != null && why.equals(current.loop().current().failure());
				if (current != null && broken && !this.placement.handOver(current, why, this.keeper, isActive())) {
					current.loop().settle();
				}
			});
			beginFailback();
		}
		catch (RuntimeException | Error ex) {
			KernelSession<I, O> current = this.sessions.session();
			if (current != null) {
				current.loop().settle();
			}
			logger.error("Ring kernel '{}' could not be moved to another plan", this.spec.id(), ex);
		}
	}

	private boolean isActive() {
		return this.sessions.state() == KernelState.ACTIVE;
	}

	/** Has the kernel return to its device, if it has just left one that was lost. */
	private synchronized void beginFailback() {
		if (this.failback == null && isAway()) {
			this.failback = startThread("failback", this::returnToDevice);
		}
	}

	private boolean isAway() {
		return this.sessions.session() != null && this.sessions.state() != KernelState.TERMINATING
				&& this.placement.isAway();
	}

	/** Ends a failback and a restart that are under way. */
	synchronized void terminated() {
		LockSupport.unpark(this.failback);
		LockSupport.unpark(this.restart);
	}

	private void returnToDevice() {
		long rest = SHORTEST_REST.toNanos();
		while (isStillAway()) {
			LockSupport.parkNanos(this, rest);
			rest = Math.min(2 * rest, LONGEST_REST.toNanos());
			try {
				if (isAway() && failBack()) {
					rest = SHORTEST_REST.toNanos();
				}
			}
			catch (RuntimeException | Error ex) {
				logger.warn("Ring kernel '{}' could not return to its device and tries again", this.spec.id(), ex);
			}
		}
	}

	/** If not, the thread ends, and the next return begins another one. */
	private synchronized boolean isStillAway() {
		if (!isAway()) {
			this.failback = null;
		}
		return this.failback != null;
	}

	/**
	 * Returns to the device that was lost. The device is got back first and loads the
	 * kernel's code, while the loop that stands in for it serves on; then that is
	 * stopped, which finishes what it has begun. What it has not begun stays in the ring.
	 */
	private boolean failBack() {
		KernelSession<I, O> away = this.sessions.session();
		if (away == null || !this.placement.prepareFailback(away)) {
			return false;
		}
		AtomicBoolean back = new AtomicBoolean();
		this.lock.hold("return to the device", () -> {
			KernelSession<I, O> current = this.sessions.session();
			if (current != away || !isAway() || current.loop().failure() != null) {
				return;
			}
			back.set(leaveStandIn(current, isActive()));
		});
		return back.get();
	}

	/** A loop whose state cannot be saved goes on: the device would have an older one. */
	private boolean leaveStandIn(KernelSession<I, O> current, boolean active) throws InterruptedException {
		boolean left = false;
		Throwable failure = null;
		try {
			if (current.loop().stop(this.spec.options().stopTimeout())) {
				this.keeper.leave(current.loop());
				left = true;
			}
		}
		catch (RuntimeException | Error ex) {
			failure = ex;
			throw ex;
		}
		finally {
			if (!left && active) {
				startAgain(current, failure);
			}
		}
		try {
			return left && this.placement.failBack(current, this.keeper, active);
		}
		catch (RuntimeException | Error ex) {
			breakOff(current, ex);
			throw ex;
		}
	}

	/**
	 * Ends a session that something is wrong with. A handler on the CPU keeps its state
	 * for the next launch, unless that is what is wrong.
	 */
	void breakOff(KernelSession<I, O> broken, Throwable why) throws InterruptedException {
		try {
			if (why instanceof PartlyRestoredException) {
				this.keeper.end();
			}
			else {
				this.keeper.abandoned(() -> broken.loop().memory(this.spec));
			}
		}
		catch (RuntimeException | Error ex) {
			why.addSuppressed(ex);
		}
		this.sessions.breakOff(broken, why);
	}

}
