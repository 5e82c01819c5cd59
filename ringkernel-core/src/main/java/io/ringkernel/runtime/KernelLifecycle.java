package io.ringkernel.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import io.ringkernel.KernelState;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.PartlyRestoredException;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.StateOrigin;
import io.ringkernel.session.KernelSession;
import io.ringkernel.session.SessionOpener;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;

/**
 * The operations that lead a kernel from one state to another. They exclude each other,
 * as {@link Kernel} says of each.
 */
final class KernelLifecycle<I extends Record, O extends Record> {

	private final KernelSpec<I, O> spec;

	private final KernelSessions<I, O> sessions;

	private final KernelPlacement placement;

	private final SessionOpener<I, O> opener;

	private final LifecycleLock lock;

	private final Failover<I, O> failover;

	private final StateKeeper keeper;

	KernelLifecycle(Kernel<I, O> kernel, KernelSessions<I, O> sessions, KernelPlacement placement,
			KernelCounters counters, KernelTimings timings, KernelEvents events) {
		this.spec = kernel.spec();
		this.sessions = sessions;
		this.placement = placement;
		this.lock = new LifecycleLock(this.spec.id(), this.spec.options());
		this.keeper = new StateKeeper(kernel, () -> counters.processed(sessions.session()), events);
		this.failover = new Failover<>(this.spec, sessions, placement, this.keeper, this.lock);
		this.opener = new SessionOpener<>(this.spec, counters, timings, sessions::checkActive, sessions::onLoopBroken,
				this.failover::handOverSoon);
	}

	@Nullable StateOrigin stateOrigin() {
		return this.keeper.origin();
	}

	void launch() {
		this.lock.hold("launch", () -> {
			this.placement.requireOpen();
			this.sessions.require(KernelState.LAUNCHED);
			KernelSession<I, O> broken = this.sessions.session();
			if (broken != null) {
				shutDown(broken);
			}
			this.sessions.reclaim();
			try {
				KernelSession<I, O> opened = this.placement.open(this.opener);
				this.sessions.begin(opened);
				this.keeper.launched(() -> opened.loop().memory(this.spec), this::stateAtRest);
			}
			catch (RuntimeException | Error ex) {
				KernelSession<I, O> opened = this.sessions.session();
				if (opened != null) {
					this.sessions.end(opened, ex);
				}
				this.sessions.fail(ex);
				throw ex;
			}
			this.sessions.moveTo(KernelState.LAUNCHED);
		});
	}

	void activate() {
		this.lock.hold("activate", () -> {
			KernelSession<I, O> current = this.sessions.requireSession(KernelState.ACTIVE);
			try {
				this.failover.start(current);
			}
			catch (KernelStuckException ex) {
				// It comes to rest later: until then it is what it was.
				throw ex;
			}
			catch (KernelLaunchException ex) {
				startElsewhere(current, ex);
			}
			catch (RuntimeException | Error ex) {
				this.failover.breakOff(current, ex);
				throw ex;
			}
			this.sessions.moveTo(KernelState.ACTIVE);
			// A loop that broke at once may have been noticed before this.
			this.sessions.onLoopBroken();
		});
	}

	/** Begins anew where a kernel may run whose device cannot start it. */
	private void startElsewhere(KernelSession<I, O> broken, KernelLaunchException why) throws InterruptedException {
		this.sessions.end(broken, why);
		try {
			KernelSession<I, O> next = this.placement.openElsewhere(this.opener, why);
			this.sessions.begin(next);
			this.keeper.takeOver(next.loop());
			next.loop().start();
		}
		catch (RuntimeException | Error ex) {
			this.sessions.fail(ex);
			throw ex;
		}
	}

	void deactivate() {
		this.lock.hold("deactivate", () -> {
			KernelSession<I, O> current = this.sessions.requireSession(KernelState.INACTIVE);
			this.sessions.moveTo(KernelState.INACTIVE);
			Duration stopTimeout = this.spec.options().stopTimeout();
			boolean stopped = current.loop().stop(stopTimeout);
			// A loop that broke meanwhile may have been noticed before the state was set.
			this.sessions.onLoopBroken();
			if (!stopped) {
				throw new KernelStuckException(this.spec.id(), "come to rest", stopTimeout);
			}
		});
	}

	void terminate() {
		this.lock.hold("terminate", this::terminateNow);
	}

	void relaunch() {
		this.lock.hold("relaunch", () -> {
			if (this.sessions.session() != null) {
				terminateNow();
			}
			launch();
			activate();
		});
	}

	void snapshot(Path file) {
		this.keeper.snapshot(file, this::stateAtRest);
	}

	void restore(Path file) {
		this.keeper.restore(file, this::stateAtRest);
	}

	/** Has the state of the kernel read or written between two requests. */
	private void stateAtRest(String command, Consumer<KernelMemory> access) {
		atRest(command, false, (loop) -> access.accept(loop.memory(this.spec)));
	}

	/**
	 * Has something done while no request is handled. A loop that has failed, or that is
	 * being terminated, is stopped for it, and not started again.
	 */
	void atRest(String command, Runnable action) {
		atRest(command, true, (loop) -> action.run());
	}

	/**
	 * Has something done between two requests. What is sent meanwhile waits in the ring.
	 * @param always whether also if the loop serves no more
	 */
	private void atRest(String command, boolean always, Consumer<DeviceLoop> access) {
		this.lock.hold(command, () -> {
			KernelSession<I, O> current = this.sessions.session();
			KernelState found = this.sessions.state();
			boolean failed = current != null && current.loop().failure() != null;
			if (current == null || (!always && (failed || found == KernelState.TERMINATING))) {
				throw new KernelNotActiveException(this.spec.id(), found);
			}
			Duration stopTimeout = this.spec.options().stopTimeout();
			Throwable failure = null;
			try {
				if (!current.loop().stop(stopTimeout)) {
					throw new KernelStuckException(this.spec.id(), "come to rest", stopTimeout);
				}
				access.accept(current.loop());
			}
			catch (InterruptedException | RuntimeException | Error ex) {
				failure = ex;
				throw ex;
			}
			finally {
				if (failure instanceof PartlyRestoredException) {
					this.failover.breakOff(current, failure);
				}
				else if (found == KernelState.ACTIVE && !failed) {
					this.failover.startAgain(current, failure);
				}
			}
		});
		this.sessions.onLoopBroken();
	}

	/** A termination that was interrupted is taken up again by the next one. */
	private void terminateNow() throws InterruptedException {
		this.sessions.reclaim();
		KernelState found = this.sessions.state();
		if (found == KernelState.TERMINATED) {
			return;
		}
		KernelSession<I, O> current = this.sessions.session();
		if (current == null) {
			this.sessions.require(KernelState.TERMINATED);
			this.sessions.moveTo(KernelState.TERMINATED);
			this.keeper.end();
			return;
		}
		if (found != KernelState.TERMINATING) {
			this.sessions.require(KernelState.TERMINATING);
		}
		boolean serving = this.sessions.state() == KernelState.ACTIVE;
		this.sessions.moveTo(KernelState.TERMINATING);
		if (serving) {
			current.ring().inFlight().awaitNone(System.nanoTime() + this.spec.options().drainTimeout().toNanos());
		}
		Duration inVain = shutDown(current);
		if (!inVain.isZero()) {
			KernelStuckException ex = new KernelStuckException(this.spec.id(), "stop", inVain);
			this.sessions.fail(ex);
			throw ex;
		}
		this.sessions.moveTo(KernelState.TERMINATED);
		this.failover.terminated();
	}

	/**
	 * Stops a loop, if need be with pressure, and ends its session. A loop whose handlers
	 * cannot be interrupted is not waited for again.
	 * @return how long it was waited for in vain; zero if it has stopped
	 */
	private Duration shutDown(KernelSession<I, O> ending) throws InterruptedException {
		Duration inVain;
		try {
			inVain = stop(ending.loop());
			// What is wrong with the session is not wrong with the state of its loop.
			DeviceLoop last = ending.loop().current();
			if (inVain.isZero()) {
				this.keeper.terminated(last);
			}
			else {
				this.keeper.abandoned(() -> last.memory(this.spec));
			}
		}
		catch (RuntimeException | Error ex) {
			this.failover.breakOff(ending, ex);
			throw ex;
		}
		this.sessions.end(ending, null);
		return inVain;
	}

	private Duration stop(DeviceLoop loop) throws InterruptedException {
		Duration stopTimeout = this.spec.options().stopTimeout();
		if (loop.stop(stopTimeout)) {
			return Duration.ZERO;
		}
		if (!loop.isInterruptible()) {
			return stopTimeout;
		}
		loop.interrupt();
		return loop.stop(stopTimeout) ? Duration.ZERO : stopTimeout.multipliedBy(2);
	}

}
