package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.ringkernel.IllegalKernelStateException;
import io.ringkernel.KernelLaunchException;
import io.ringkernel.KernelNotActiveException;
import io.ringkernel.KernelState;
import io.ringkernel.KernelStuckException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ring kernel and its life, as {@link KernelState} draws it. Lifecycle operations
 * exclude each other; each is bounded in time by the kernel's stop and drain timeouts.
 *
 * @param <I> the request
 * @param <O> the response
 */
public final class Kernel<I extends Record, O extends Record> {

	private static final Logger logger = LoggerFactory.getLogger(Kernel.class);

	private final KernelSpec<I, O> spec;

	private final KernelPlacement placement;

	private final SessionOpener<I, O> opener;

	private final RingKernelClient<I, O> client;

	private final KernelCounters counters = new KernelCounters();

	private final KernelEvents events;

	private final KernelTimings timings;

	private final StatusReader status;

	private final ReentrantLock lifecycle = new ReentrantLock();

	/** Sessions whose loops did not stop in time, and what they can still reach. */
	private final List<KernelSession<I, O>> stuck = new ArrayList<>();

	private volatile KernelState state = KernelState.CREATED;

	private volatile @Nullable KernelSession<I, O> session;

	private volatile @Nullable String lastFailure;

	Kernel(KernelSpec<I, O> spec, KernelHost planned, KernelHost.Successors successors, KernelEvents events) {
		this.spec = spec;
		this.placement = new KernelPlacement(this, planned, successors, events);
		this.events = events;
		this.timings = new KernelTimings(spec.id());
		this.status = new StatusReader(spec, this.counters);
		this.opener = new SessionOpener<>(spec, this.counters, this.timings, this::onLoopBroken, this::moveSoon);
		this.client = new KernelClient<>(this, spec.options());
	}

	/**
	 * The id of this kernel.
	 * @return the id
	 */
	public String id() {
		return this.spec.id();
	}

	/**
	 * How this kernel is defined.
	 * @return the definition
	 */
	public KernelSpec<I, O> spec() {
		return this.spec;
	}

	/**
	 * The state of this kernel.
	 * @return the state
	 */
	public KernelState state() {
		return this.state;
	}

	/**
	 * How this kernel is run now: as it was planned, or in the best way that is left
	 * where the platform did not do what that relies on.
	 * @return the plan
	 */
	public ExecutionPlan plan() {
		return this.placement.plan();
	}

	/**
	 * The client of this kernel; the same for all its launches.
	 * @return the client
	 */
	public RingKernelClient<I, O> client() {
		return this.client;
	}

	/**
	 * Gives the kernel its memory, validates and loads it: {@link KernelState#LAUNCHED
	 * LAUNCHED}.
	 * @throws KernelLaunchException if it cannot be launched; it is then
	 * {@link KernelState#FAILED}
	 * @throws IllegalKernelStateException if it is launched already
	 */
	public void launch() {
		exclusively("launch", () -> {
			require(KernelState.LAUNCHED);
			KernelSession<I, O> broken = this.session;
			if (broken != null) {
				shutDown(broken);
			}
			reclaim();
			try {
				this.session = this.placement.open(this.opener);
				this.counters.sessionBegun();
			}
			catch (RuntimeException | Error ex) {
				fail(ex);
				throw ex;
			}
			moveTo(KernelState.LAUNCHED, null);
		});
	}

	/**
	 * Starts the loop and takes requests: {@link KernelState#ACTIVE ACTIVE}. What was
	 * queued when the kernel was deactivated is answered now.
	 * @throws KernelLaunchException if the loop cannot be started
	 * @throws IllegalKernelStateException if it is neither launched nor inactive
	 */
	public void activate() {
		exclusively("activate", () -> {
			KernelSession<I, O> current = requireSession(KernelState.ACTIVE);
			try {
				start(current);
			}
			catch (RuntimeException | Error ex) {
				end(current, ex);
				fail(ex);
				throw ex;
			}
			moveTo(KernelState.ACTIVE, null);
			// A loop that broke at once may have been noticed before this.
			onLoopBroken();
		});
	}

	/**
	 * Takes no more requests and stops the loop: {@link KernelState#INACTIVE INACTIVE}.
	 * What has been begun is finished, what is queued stays queued and its timeouts run
	 * on.
	 * @throws KernelStuckException if a handler is still at work after the stop timeout;
	 * the kernel is inactive all the same, and its loop stops as soon as it can
	 * @throws IllegalKernelStateException if it is not active
	 */
	public void deactivate() {
		exclusively("deactivate", () -> {
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

	/**
	 * Takes no more requests, waits for those in flight, stops the loop and gives
	 * everything back: {@link KernelState#TERMINATED TERMINATED}. What is not answered by
	 * then fails with a {@link io.ringkernel.KernelTerminatedException}. Terminating a
	 * terminated kernel does nothing.
	 * @throws KernelStuckException if the loop did not stop in time; the kernel is then
	 * {@link KernelState#FAILED}, and its memory is kept until the loop has stopped
	 */
	public void terminate() {
		exclusively("terminate", this::terminateNow);
	}

	/**
	 * Terminates the kernel if it runs, then launches and activates it anew. What it
	 * holds in its ring does not survive; what is in flight is waited for as by
	 * {@link #terminate}.
	 */
	public void relaunch() {
		exclusively("relaunch", () -> {
			if (this.session != null) {
				terminateNow();
			}
			launch();
			activate();
		});
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
			current.ring().awaitIdle(System.nanoTime() + this.spec.options().drainTimeout().toNanos());
		}
		if (!shutDown(current)) {
			KernelStuckException ex = new KernelStuckException(id(), "stop",
					this.spec.options().stopTimeout().multipliedBy(2));
			fail(ex);
			throw ex;
		}
		moveTo(KernelState.TERMINATED, null);
	}

	/**
	 * Stops a loop, if need be with pressure, and ends its session.
	 * @return whether the loop has stopped
	 */
	private boolean shutDown(KernelSession<I, O> ending) throws InterruptedException {
		Duration stopTimeout = this.spec.options().stopTimeout();
		boolean stopped = ending.loop().stop(stopTimeout);
		if (!stopped) {
			ending.loop().interrupt();
			stopped = ending.loop().stop(stopTimeout);
		}
		end(ending, null);
		return stopped;
	}

	private void end(KernelSession<I, O> ending, @Nullable Throwable cause) throws InterruptedException {
		ending.end(cause, this.spec.options().stopTimeout());
		this.counters.sessionEnded(ending);
		this.session = null;
		if (!ending.release()) {
			this.stuck.add(ending);
		}
	}

	private void reclaim() {
		this.stuck.removeIf(KernelSession::release);
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
		this.state = next;
		if (from != next) {
			this.events.publish(new KernelStateChange(this, from, next, cause));
		}
	}

	/**
	 * Called by whoever finds that the loop has broken: nothing will be answered any
	 * more.
	 */
	private synchronized void onLoopBroken() {
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
			if (!this.placement.takeOver(current, ex, true)) {
				throw KernelPlacement.noOtherPlan(id(), ex);
			}
		}
	}

	/**
	 * Has the session moved to another loop by a thread of its own: whoever finds that
	 * the plan has failed waits for a response, or delivers it.
	 */
	private void moveSoon(PlanFailedException why) {
		Thread mover = new Thread(() -> move(why), "ringkernel-" + id() + "-mover");
		mover.setDaemon(true);
		mover.start();
	}

	private void move(PlanFailedException why) {
		try {
			exclusively("move", () -> {
				KernelSession<I, O> current = this.session;
				boolean broken = current != null && why.equals(current.loop().current().failure());
				if (current != null && broken
						&& !this.placement.takeOver(current, why, this.state == KernelState.ACTIVE)) {
					current.loop().settle();
				}
			});
		}
		catch (RuntimeException | Error ex) {
			logger.error("Ring kernel '{}' could not be moved to another plan", id(), ex);
			KernelSession<I, O> current = this.session;
			if (current != null) {
				current.loop().settle();
			}
		}
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
	 * Runs a lifecycle operation alone. The wait for another one is bounded, as that one
	 * is.
	 */
	private void exclusively(String command, LifecycleOperation operation) {
		Duration longest = this.spec.options().stopTimeout().multipliedBy(4).plus(this.spec.options().drainTimeout());
		try {
			if (!this.lifecycle.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new KernelStuckException(id(), "end another lifecycle operation and " + command, longest);
			}
			try {
				operation.run();
			}
			finally {
				this.lifecycle.unlock();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(id());
		}
	}

	/**
	 * The session that takes requests now.
	 * @return the session
	 * @throws KernelNotActiveException if there is none
	 */
	KernelSession<I, O> activeSession() {
		KernelState found = this.state;
		if (found != KernelState.ACTIVE) {
			throw new KernelNotActiveException(id(), found);
		}
		KernelSession<I, O> current = this.session;
		if (current == null) {
			// It was active a moment ago, and has been terminated since.
			throw new KernelNotActiveException(id(), KernelState.TERMINATING);
		}
		return current;
	}

	/**
	 * The kernel at this moment. Calls no driver and waits for nobody; a loop that broke
	 * while nobody waited for it is noticed here.
	 * @return its status
	 */
	public KernelStatus status() {
		KernelSession<I, O> current = this.session;
		if (current != null && current.loop().failure() != null) {
			onLoopBroken();
		}
		return this.status.read(this.state, plan(), current, this.lastFailure);
	}

	/**
	 * What lies in the memory of this kernel. Only loads from it: those at work notice no
	 * more than cache lines that another core has read.
	 * @return a dump; nothing while the kernel has no memory
	 */
	public Optional<KernelDump> dump() {
		return Optional.ofNullable(this.session).map((current) -> new DumpReader(this.spec, current.region()).read());
	}

	/**
	 * How long its requests take.
	 * @return the times, over all launches
	 */
	public KernelTimings timings() {
		return this.timings;
	}

	/**
	 * What requests took on the device, in this launch. Calls no driver.
	 * @return the times; nothing where kernels run on no device, or no worker has told of
	 * any yet
	 */
	public Optional<DeviceTimes> deviceTimes() {
		KernelSession<I, O> current = this.session;
		long hertz = (current != null) ? current.loop().clockHertz() : 0;
		if (current == null || hertz == 0) {
			return Optional.empty();
		}
		DeviceTimes times = DeviceTimes.of(current.region().control().deviceTicks(), hertz);
		return (times.count() > 0) ? Optional.of(times) : Optional.empty();
	}

	/**
	 * What went wrong lately: failures of the kernel, and of requests.
	 * @return the latest errors first
	 */
	public List<KernelError> latestErrors() {
		return this.counters.latestErrors();
	}

	@Override
	public String toString() {
		return "ring kernel '%s'".formatted(id());
	}

	private interface LifecycleOperation {

		void run() throws InterruptedException;

	}

}
