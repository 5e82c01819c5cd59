package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.ringkernel.IllegalKernelStateException;
import io.ringkernel.KernelLaunchException;
import io.ringkernel.KernelNotActiveException;
import io.ringkernel.KernelState;
import io.ringkernel.KernelStuckException;
import io.ringkernel.KernelTerminatedException;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.StateOrigin;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.session.KernelSession;
import io.ringkernel.session.SessionOpener;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a kernel and its session, and what leads from one state to another.
 * Operations exclude each other, as {@link Kernel} says of each.
 */
final class KernelLifecycle<I extends Record, O extends Record> {

	private static final Logger logger = LoggerFactory.getLogger(Kernel.class);

	private final Kernel<I, O> kernel;

	private final KernelSpec<I, O> spec;

	private final KernelPlacement placement;

	private final SessionOpener<I, O> opener;

	private final KernelCounters counters;

	private final KernelEvents events;

	private final LifecycleLock lock;

	private final KernelReturn returning;

	private final StateKeeper keeper;

	/** Sessions whose loops did not stop in time, and what they can still reach. */
	private final List<KernelSession<I, O>> stuck = new ArrayList<>();

	private volatile KernelState state = KernelState.CREATED;

	private volatile @Nullable KernelSession<I, O> session;

	private volatile @Nullable String lastFailure;

	KernelLifecycle(Kernel<I, O> kernel, KernelPlacement placement, KernelCounters counters, KernelTimings timings,
			KernelEvents events) {
		this.kernel = kernel;
		this.spec = kernel.spec();
		this.placement = placement;
		this.counters = counters;
		this.events = events;
		this.lock = new LifecycleLock(this.spec.id(), this.spec.options());
		this.returning = new KernelReturn(this.spec.id(), this::isAway, this::goBack);
		this.keeper = new StateKeeper(kernel, () -> counters.processed(this.session), events);
		this.opener = new SessionOpener<>(this.spec, counters, timings, this::checkOpen, this::onLoopBroken,
				this::moveSoon);
	}

	KernelState state() {
		return this.state;
	}

	ExecutionPlan plan() {
		return this.placement.plan();
	}

	/**
	 * Allocates memory of what runs the kernel now. Takes no lock, as a driver may take
	 * long for it: a kernel that moves meanwhile has none of it.
	 */
	Optional<DeviceMemory> allocate(long bytes) {
		return this.placement.allocate(bytes);
	}

	/**
	 * What the kernel holds while it is launched.
	 */
	@Nullable KernelSession<I, O> session() {
		return this.session;
	}

	@Nullable String lastFailure() {
		return this.lastFailure;
	}

	void launch() {
		this.lock.hold("launch", () -> {
			require(KernelState.LAUNCHED);
			KernelSession<I, O> broken = this.session;
			if (broken != null) {
				shutDown(broken);
			}
			reclaim();
			try {
				KernelSession<I, O> opened = this.placement.open(this.opener);
				this.session = opened;
				this.counters.sessionBegun();
				this.keeper.launched(() -> opened.loop().memory(this.spec), this::stateAtRest);
			}
			catch (RuntimeException | Error ex) {
				KernelSession<I, O> opened = this.session;
				if (opened != null) {
					end(opened, ex);
				}
				fail(ex);
				throw ex;
			}
			moveTo(KernelState.LAUNCHED, null);
		});
	}

	void activate() {
		this.lock.hold("activate", () -> {
			KernelSession<I, O> current = requireSession(KernelState.ACTIVE);
			try {
				start(current);
			}
			catch (KernelStuckException ex) {
				// It comes to rest later: until then it is what it was.
				throw ex;
			}
			catch (KernelLaunchException ex) {
				startElsewhere(current, ex);
			}
			catch (RuntimeException | Error ex) {
				breakOff(current, ex);
				throw ex;
			}
			moveTo(KernelState.ACTIVE, null);
			// A loop that broke at once may have been noticed before this.
			onLoopBroken();
		});
	}

	void deactivate() {
		this.lock.hold("deactivate", () -> {
			KernelSession<I, O> current = requireSession(KernelState.INACTIVE);
			moveTo(KernelState.INACTIVE, null);
			Duration stopTimeout = this.spec.options().stopTimeout();
			boolean stopped = current.loop().stop(stopTimeout);
			// A loop that broke meanwhile may have been noticed before the state was set.
			onLoopBroken();
			if (!stopped) {
				throw new KernelStuckException(id(), "come to rest", stopTimeout);
			}
		});
	}

	void terminate() {
		this.lock.hold("terminate", this::terminateNow);
	}

	void relaunch() {
		this.lock.hold("relaunch", () -> {
			if (this.session != null) {
				terminateNow();
			}
			launch();
			activate();
		});
	}

	/**
	 * Has the state of the kernel read or written between two requests.
	 * @param command what is done, as a verb
	 */
	void stateAtRest(String command, Consumer<KernelMemory> access) {
		atRest(command, (loop) -> access.accept(loop.memory(this.spec)));
	}

	/**
	 * Has something done between two requests. What is sent meanwhile waits in the ring.
	 * @param command what is done, as a verb
	 * @param access is given the loop, which has stopped
	 */
	void atRest(String command, Consumer<DeviceLoop> access) {
		this.lock.hold(command, () -> {
			KernelSession<I, O> current = this.session;
			if (current == null || this.state == KernelState.TERMINATING || current.loop().failure() != null) {
				throw new KernelNotActiveException(id(), this.state);
			}
			boolean active = this.state == KernelState.ACTIVE;
			Duration stopTimeout = this.spec.options().stopTimeout();
			Throwable failure = null;
			try {
				if (!current.loop().stop(stopTimeout)) {
					throw new KernelStuckException(id(), "come to rest", stopTimeout);
				}
				access.accept(current.loop());
			}
			catch (InterruptedException | RuntimeException | Error ex) {
				failure = ex;
				throw ex;
			}
			finally {
				if (active) {
					startAgain(current, failure);
				}
			}
		});
		onLoopBroken();
	}

	/**
	 * Starts a loop that was at rest.
	 * @param failure what was thrown meanwhile, which is not to be hidden; {@code null}
	 * if nothing was
	 */
	private void startAgain(KernelSession<I, O> current, @Nullable Throwable failure) throws InterruptedException {
		try {
			start(current);
		}
		catch (RuntimeException | Error ex) {
			if (!(ex instanceof KernelStuckException)) {
				breakOff(current, ex);
			}
			if (failure == null) {
				throw ex;
			}
			failure.addSuppressed(ex);
		}
	}

	/**
	 * A termination that was interrupted is taken up again by the next one.
	 */
	private void terminateNow() throws InterruptedException {
		reclaim();
		if (this.state == KernelState.TERMINATED) {
			return;
		}
		KernelSession<I, O> current = this.session;
		if (current == null) {
			require(KernelState.TERMINATED);
			moveTo(KernelState.TERMINATED, null);
			return;
		}
		if (this.state != KernelState.TERMINATING) {
			require(KernelState.TERMINATING);
		}
		boolean serving = this.state == KernelState.ACTIVE;
		moveTo(KernelState.TERMINATING, null);
		if (serving) {
			current.ring().inFlight().awaitNone(System.nanoTime() + this.spec.options().drainTimeout().toNanos());
		}
		Duration inVain = shutDown(current);
		if (!inVain.isZero()) {
			KernelStuckException ex = new KernelStuckException(id(), "stop", inVain);
			fail(ex);
			throw ex;
		}
		moveTo(KernelState.TERMINATED, null);
		this.returning.wake();
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
			if (inVain.isZero()) {
				this.keeper.terminated(ending.loop());
			}
		}
		catch (RuntimeException | Error ex) {
			breakOff(ending, ex);
			throw ex;
		}
		end(ending, null);
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

	/**
	 * Ends a session that something is wrong with.
	 */
	private void breakOff(KernelSession<I, O> broken, Throwable why) throws InterruptedException {
		try {
			end(broken, why);
		}
		finally {
			fail(why);
		}
	}

	private void end(KernelSession<I, O> ending, @Nullable Throwable cause) throws InterruptedException {
		ending.end(cause, this.spec.options().stopTimeout());
		this.counters.sessionEnded(ending);
		this.session = null;
		if (!release(ending)) {
			this.stuck.add(ending);
		}
	}

	private void reclaim() {
		this.stuck.removeIf(this::release);
	}

	/** What cannot be given back now is given back by a later operation. */
	private boolean release(KernelSession<I, O> ended) {
		try {
			return ended.release();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Ring kernel '{}' has ended and keeps what it holds until it is launched or terminated again",
					id(), ex);
			return false;
		}
	}

	private void fail(Throwable cause) {
		this.counters.failed(cause);
		this.lastFailure = (cause instanceof RingKernelException) ? cause.getMessage() : cause.toString();
		moveTo(KernelState.FAILED, cause);
	}

	/**
	 * Moves on and has the listeners told, alone: their order is that of the states.
	 */
	private synchronized void moveTo(KernelState next, @Nullable Throwable cause) {
		KernelState from = this.state;
		if (from == next) {
			return;
		}
		if (!from.canMoveTo(next)) {
			throw new IllegalKernelStateException(id(), from, next);
		}
		this.state = next;
		this.events.publish(new KernelStateChange(this.kernel, from, next, cause));
	}

	/**
	 * Called by the thread that finds that the loop has broken. Nothing will be answered
	 * any more.
	 */
	synchronized void onLoopBroken() {
		KernelSession<I, O> broken = this.session;
		Throwable cause = (broken != null) ? broken.loop().failure() : null;
		KernelState found = this.state;
		if (cause != null && broken == this.session && found != KernelState.FAILED
				&& found != KernelState.TERMINATING) {
			logger.error("Ring kernel '{}' has failed", id(), cause);
			fail(cause);
		}
	}

	private void start(KernelSession<I, O> current) {
		try {
			current.loop().start();
		}
		catch (PlanFailedException ex) {
			if (!this.placement.handOver(current, ex, this.keeper, true)) {
				throw KernelPlacement.noOtherPlan(id(), ex);
			}
			comeBack();
		}
	}

	/**
	 * Has the kernel return to its device, if it has just left that because it was lost.
	 */
	private void comeBack() {
		if (isAway()) {
			this.returning.begin();
		}
	}

	/**
	 * Begins anew where a kernel may run whose device cannot start it.
	 */
	private void startElsewhere(KernelSession<I, O> broken, KernelLaunchException why) throws InterruptedException {
		end(broken, why);
		try {
			KernelSession<I, O> next = this.placement.openElsewhere(this.opener, why);
			this.session = next;
			this.counters.sessionBegun();
			this.keeper.takeOver(next.loop());
			next.loop().start();
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
			throw ex;
		}
	}

	/**
	 * Hands the ring over on a thread of its own: the thread that finds that the plan has
	 * failed waits for a response, or dispatches it.
	 */
	private void moveSoon(PlanFailedException why) {
		Thread mover = new Thread(null, () -> move(why), "ringkernel-" + id() + "-hand-over", 0, false);
		mover.setDaemon(true);
		mover.start();
	}

	private void move(PlanFailedException why) {
		try {
			this.lock.hold("move", () -> {
				KernelSession<I, O> current = this.session;
				boolean broken = current != null && why.equals(current.loop().current().failure());
				if (current != null && broken
						&& !this.placement.handOver(current, why, this.keeper, this.state == KernelState.ACTIVE)) {
					current.loop().settle();
				}
			});
			comeBack();
		}
		catch (RuntimeException | Error ex) {
			KernelSession<I, O> current = this.session;
			if (current != null) {
				current.loop().settle();
			}
			logger.error("Ring kernel '{}' could not be moved to another plan", id(), ex);
		}
	}

	private boolean isAway() {
		return this.session != null && this.state != KernelState.TERMINATING && this.placement.isAway();
	}

	/**
	 * Returns to the device that was lost. The device is got back first and loads the
	 * kernel's code, while the loop that stands in for it serves on; then that is
	 * stopped, which finishes what it has begun. What it has not begun stays in the ring.
	 * @return whether the kernel is back
	 */
	private boolean goBack() {
		KernelSession<I, O> away = this.session;
		if (away == null || !this.placement.prepareReturn(away)) {
			return false;
		}
		AtomicBoolean back = new AtomicBoolean();
		this.lock.hold("return to the device", () -> {
			KernelSession<I, O> current = this.session;
			if (current != away || !isAway() || current.loop().failure() != null) {
				return;
			}
			back.set(leaveStandIn(current, this.state == KernelState.ACTIVE));
		});
		return back.get();
	}

	private boolean leaveStandIn(KernelSession<I, O> current, boolean active) throws InterruptedException {
		boolean stopped = false;
		Throwable failure = null;
		try {
			stopped = current.loop().stop(this.spec.options().stopTimeout());
		}
		catch (RuntimeException | Error ex) {
			failure = ex;
			throw ex;
		}
		finally {
			if (!stopped && active) {
				startAgain(current, failure);
			}
		}
		try {
			return stopped && this.placement.goBack(current, this.keeper, active);
		}
		catch (RuntimeException | Error ex) {
			breakOff(current, ex);
			throw ex;
		}
	}

	@Nullable StateOrigin stateOrigin() {
		return this.keeper.origin();
	}

	boolean isLost() {
		return this.placement.isLost();
	}

	private void require(KernelState next) {
		KernelState current = this.state;
		if (!current.canMoveTo(next)) {
			throw new IllegalKernelStateException(id(), current, next);
		}
	}

	/**
	 * The session of a state that has one.
	 */
	private KernelSession<I, O> requireSession(KernelState next) {
		require(next);
		KernelSession<I, O> current = this.session;
		if (current == null) {
			throw new IllegalKernelStateException(id(), this.state, next);
		}
		return current;
	}

	/**
	 * The session that takes requests now.
	 * @throws KernelNotActiveException if there is none
	 */
	KernelSession<I, O> activeSession() {
		KernelState found = this.state;
		if (found != KernelState.ACTIVE) {
			throw (found == KernelState.FAILED && isLost())
					? new KernelNotActiveException(id(), found,
							"This process has lost the device that it runs on. Restart the application.")
					: new KernelNotActiveException(id(), found);
		}
		KernelSession<I, O> current = this.session;
		if (current == null) {
			// It was active a moment ago, and has been terminated since.
			throw new KernelNotActiveException(id(), KernelState.TERMINATING);
		}
		return current;
	}

	/**
	 * Throws if a session takes no requests now: its kernel is not active, or has been
	 * relaunched since.
	 */
	private void checkOpen(KernelSession<?, ?> asked) {
		if (activeSession() != asked) {
			throw new KernelTerminatedException(id(), null);
		}
	}

	private String id() {
		return this.spec.id();
	}

}
