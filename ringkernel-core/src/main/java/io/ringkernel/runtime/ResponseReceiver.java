package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.CorruptMessageException;
import io.ringkernel.HandlerFailedException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RequestTimeoutException;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.ResponseKind;
import io.ringkernel.ring.WaitStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a session: waits for the response at a position, in the thread
 * that wants it, and takes it. Who has spun for long enough has the delivery thread watch
 * and parks.
 */
final class ResponseReceiver<O extends Record> {

	/** A spinning caller looks at the clock and the state when these bits are all set. */
	private static final int CHECK_MASK = 63;

	/** And it nudges the loop when these are: about every 40 µs. */
	private static final int NUDGE_MASK = 1023;

	/** How long the delivery thread sleeps between two looks at a call of its own. */
	private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private final KernelSpec<?, O> kernel;

	private final HostRing ring;

	private final DeviceLoop loop;

	private final PendingReplies replies;

	private final Delivery delivery;

	private final KernelCounters counters;

	private final SessionEnd end;

	private final WaitStrategy waitStrategy;

	private final SessionTimings timings;

	ResponseReceiver(KernelSpec<?, O> kernel, HostRing ring, DeviceLoop loop, PendingReplies replies, Delivery delivery,
			KernelCounters counters, SessionEnd end, SessionTimings timings) {
		this.timings = timings;
		this.kernel = kernel;
		this.ring = ring;
		this.loop = loop;
		this.replies = replies;
		this.delivery = delivery;
		this.counters = counters;
		this.end = end;
		this.waitStrategy = kernel.options().waitStrategy();
	}

	/**
	 * Waits for the response at a position and takes it.
	 * @param deadline when to give up, or {@link Deadlines#UNSET} to begin waiting now
	 */
	O await(long position, long deadline, long timeoutNanos) {
		long giveUpAt = deadline;
		O response = tryTake(position);
		for (int round = 0; response == null; round++) {
			if (!this.waitStrategy.pause(round)) {
				return awaitParked(position, Deadlines.orIn(giveUpAt, timeoutNanos), timeoutNanos);
			}
			// Beside busy neighbours, a yield alone can take milliseconds.
			if ((round & CHECK_MASK) == CHECK_MASK || round >= WaitStrategy.SPINS) {
				giveUpAt = Deadlines.orIn(giveUpAt, timeoutNanos);
				checkWait(position, giveUpAt, timeoutNanos);
			}
			if ((round & NUDGE_MASK) == NUDGE_MASK) {
				this.loop.nudge();
			}
			response = tryTake(position);
		}
		return response;
	}

	private O awaitParked(long position, long deadline, long timeoutNanos) {
		Delivery own = Delivery.ofCurrentThread();
		if (own != null) {
			return awaitByPolling(own, position, deadline, timeoutNanos);
		}
		ParkedCall call = new ParkedCall(position, Thread.currentThread(), deadline - timeoutNanos);
		register(call);
		this.loop.nudge();
		boolean interrupted = false;
		long remaining = deadline - System.nanoTime();
		while (call.isWaiting() && remaining > 0 && !interrupted) {
			LockSupport.parkNanos(this, remaining);
			interrupted = Thread.interrupted();
			remaining = deadline - System.nanoTime();
		}
		if (call.abandon()) {
			this.delivery.wake();
			throw interrupted ? interrupted() : timedOut(timeoutNanos);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		if (!call.isAnswered()) {
			throw this.end.exception();
		}
		return take(position);
	}

	/**
	 * Waits on a delivery thread, this kernel's or another's: in a stage that depends on
	 * a future, where nobody else would see the answers that this thread delivers.
	 */
	private O awaitByPolling(Delivery own, long position, long deadline, long timeoutNanos) {
		while (!this.ring.isAnswered(position)) {
			checkWait(position, deadline, timeoutNanos);
			own.deliverAround();
			this.loop.nudge();
			LockSupport.parkNanos(this, POLL_NANOS);
		}
		return take(position);
	}

	/**
	 * What a waiting caller does from time to time, so that it does not wait for ever.
	 */
	private void checkWait(long position, long deadline, long timeoutNanos) {
		if (this.delivery.isLoopBroken() || this.end.isSet()) {
			throw this.end.exception();
		}
		if (Thread.interrupted()) {
			abandon(position, deadline - timeoutNanos);
			throw interrupted();
		}
		if (Deadlines.hasPassed(deadline)) {
			abandon(position, deadline - timeoutNanos);
			throw timedOut(timeoutNanos);
		}
	}

	/**
	 * Gives up a position that nobody else watches: its request is withdrawn, its slot
	 * released once it is answered.
	 */
	void abandon(long position) {
		abandon(position, System.nanoTime());
	}

	private void abandon(long position, long since) {
		ParkedCall reply = new ParkedCall(position, Thread.currentThread(), since);
		reply.abandon();
		register(reply);
	}

	/**
	 * Has the delivery thread watch a position. The session is marked as ended before its
	 * replies are ended: either that finds this one, or this finds the mark.
	 */
	void register(PendingReply reply) {
		this.replies.register(reply);
		this.delivery.wake();
		if (this.end.isSet()) {
			reply.end();
		}
	}

	/**
	 * Whether the response at a position has begun to arrive.
	 */
	boolean isAnswering(long position) {
		return this.ring.isAnswering(position);
	}

	/**
	 * Takes the response at a position that is answered, and releases its slot.
	 */
	O take(long position) {
		O response = tryTake(position);
		if (response == null) {
			release(position);
			throw this.counters.failed(new CorruptMessageException(
					"The response at position %d changed while it was read.".formatted(position)));
		}
		return response;
	}

	/**
	 * Takes the response at a position and releases its slot, if the response is there in
	 * whole.
	 * @return the response, or {@code null} if it is not, or a part of it is still on its
	 * way
	 */
	@Nullable O tryTake(long position) {
		if (!this.ring.isAnswering(position)) {
			return null;
		}
		boolean isOnItsWay = false;
		try {
			O response = read(position);
			isOnItsWay = response == null;
			return response;
		}
		catch (CorruptMessageException ex) {
			throw this.counters.failed(ex);
		}
		finally {
			if (!isOnItsWay) {
				release(position);
			}
		}
	}

	private @Nullable O read(long position) {
		ResponseKind kind = this.ring.responseKind(position);
		return switch (kind) {
			case ANSWER -> this.ring.response(position, this.kernel.responses());
			case WITHDRAWN -> throw new CorruptMessageException(
					"The response at position %d says that its request was withdrawn; it was not.".formatted(position));
			case HANDLER_FAILED -> throw failed(position, "the handler failed");
			case INVALID_REQUEST -> throw failed(position, "the request did not arrive as a valid message");
			case INVALID_RESPONSE -> throw failed(position, "the handler's response does not fit its layout");
		};
	}

	private void release(long position) {
		this.timings.answered(position);
		this.ring.release(position);
	}

	private HandlerFailedException failed(long position, String problem) {
		int code = this.ring.responseDetail(position);
		Throwable cause = this.loop.takeFailure(this.ring.layout().slot(position));
		return this.counters.failed(new HandlerFailedException(this.kernel.id(),
				problem + ((cause != null) ? ": " + describe(cause) : " with error code " + code), code, cause));
	}

	/**
	 * What an exception of the handler's says; it may fail at that, too.
	 */
	private static String describe(Throwable cause) {
		try {
			return cause.toString();
		}
		catch (RuntimeException ex) {
			return cause.getClass().getName();
		}
	}

	RequestTimeoutException timedOut(long timeoutNanos) {
		return this.counters.timedOut(new RequestTimeoutException(this.kernel.id(), Duration.ofNanos(timeoutNanos)));
	}

	RequestInterruptedException interrupted() {
		Thread.currentThread().interrupt();
		return new RequestInterruptedException(this.kernel.id());
	}

}
