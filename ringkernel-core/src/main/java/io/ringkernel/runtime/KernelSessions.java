package io.ringkernel.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.IllegalKernelStateException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.session.KernelSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a kernel and the session that it has in that state. Sessions that have
 * ended stay here while they hold something that cannot be given back.
 * <p>
 * What begins or ends a session is called under the {@link LifecycleLock} of the kernel;
 * any thread may look.
 */
final class KernelSessions<I extends Record, O extends Record> {

	private static final Logger logger = LoggerFactory.getLogger(Kernel.class);

	private final Kernel<I, O> kernel;

	private final KernelSpec<I, O> spec;

	/** Whether the process has lost the device of the kernel for good. */
	private final BooleanSupplier deviceLost;

	private final KernelCounters counters;

	private final KernelEvents events;

	/** Sessions whose loops did not stop in time, and what they can still reach. */
	private final List<KernelSession<I, O>> stuck = new ArrayList<>();

	private volatile KernelState state = KernelState.CREATED;

	private volatile @Nullable KernelSession<I, O> session;

	private volatile @Nullable String lastFailure;

	/** Whether the loop of the latest session that has ended may still be at work. */
	private volatile boolean restless;

	KernelSessions(Kernel<I, O> kernel, BooleanSupplier deviceLost, KernelCounters counters, KernelEvents events) {
		this.kernel = kernel;
		this.spec = kernel.spec();
		this.deviceLost = deviceLost;
		this.counters = counters;
		this.events = events;
	}

	KernelState state() {
		return this.state;
	}

	@Nullable KernelSession<I, O> session() {
		return this.session;
	}

	@Nullable String lastFailure() {
		return this.lastFailure;
	}

	/** The session that takes requests now. */
	KernelSession<I, O> active() {
		KernelState found = this.state;
		if (found != KernelState.ACTIVE) {
			throw (found == KernelState.FAILED && this.deviceLost.getAsBoolean())
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

	/** Throws if the kernel of a session is not active, or was relaunched since. */
	void checkActive(KernelSession<?, ?> asked) {
		if (active() != asked) {
			throw new KernelNotActiveException(id(), KernelState.TERMINATED,
					"It was relaunched meanwhile. Send the request again; open streams, frames and in-place calls anew.");
		}
	}

	void require(KernelState next) {
		KernelState current = this.state;
		if (!current.canMoveTo(next)) {
			throw new IllegalKernelStateException(id(), current, next);
		}
	}

	KernelSession<I, O> requireSession(KernelState next) {
		require(next);
		KernelSession<I, O> current = this.session;
		if (current == null) {
			throw new IllegalKernelStateException(id(), this.state, next);
		}
		return current;
	}

	/** Whether there is no session, and the loop of the latest one is at work no more. */
	boolean isAtRest() {
		return this.session == null && !this.restless;
	}

	void begin(KernelSession<I, O> opened) {
		this.session = opened;
		this.restless = false;
		this.counters.sessionBegun();
	}

	void end(KernelSession<I, O> ending, @Nullable Throwable cause) throws InterruptedException {
		ending.end(cause, this.spec.options().stopTimeout());
		this.counters.sessionEnded(ending);
		this.restless = true;
		this.session = null;
		if (release(ending)) {
			this.restless = false;
		}
		else {
			this.stuck.add(ending);
		}
	}

	void breakOff(KernelSession<I, O> broken, Throwable why) throws InterruptedException {
		try {
			end(broken, why);
		}
		finally {
			fail(why);
		}
	}

	/** Gives back what ended sessions hold, as far as that is possible now. */
	void reclaim() {
		this.stuck.removeIf(this::release);
		if (this.stuck.isEmpty()) {
			this.restless = false;
		}
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

	void fail(Throwable cause) {
		this.counters.failed(cause);
		this.lastFailure = (cause instanceof RingKernelException) ? cause.getMessage() : cause.toString();
		moveTo(KernelState.FAILED, cause);
	}

	void moveTo(KernelState next) {
		moveTo(next, null);
	}

	/** Moves on and has the listeners told, alone: their order is that of the states. */
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

	/** Called by the thread that finds that the loop has broken. */
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

	private String id() {
		return this.spec.id();
	}

}
