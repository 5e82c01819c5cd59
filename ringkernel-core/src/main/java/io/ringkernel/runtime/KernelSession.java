package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.HandlerFailedException;

import io.ringkernel.KernelTerminatedException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RequestTimeoutException;
import io.ringkernel.RingFullException;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.ResponseKind;
import org.jspecify.annotations.Nullable;

/**
 * One launch of a kernel: its memory, its ring, its loop, and everyone who waits for a
 * response. A relaunch begins a new session; nothing crosses from one to the next.
 */
final class KernelSession<I extends Record, O extends Record> {

	/** A spinning caller looks at the clock and the state when these bits are all set. */
	private static final int CHECK_MASK = 63;

	/** And it nudges the loop when these are: about every 40 µs. */
	private static final int NUDGE_MASK = 1023;

	/** How long the delivery thread sleeps between two looks at a call of its own. */
	private static final long POLL_NANOS = 20_000;

	/** A deadline that has not been set, because the clock has not been read yet. */
	private static final long UNSET = 0;

	private final KernelSpec<I, O> kernel;

	private final KernelRegion region;

	private final HostRing ring;

	private final DeviceLoop loop;

	private final PendingReplies replies;

	private final Delivery delivery;

	private final KernelCounters counters;

	private volatile boolean ended;

	private volatile @Nullable Throwable endCause;

	KernelSession(KernelSpec<I, O> kernel, KernelRegion region, DeviceLoop loop, KernelCounters counters,
			Runnable onLoopBroken) {
		this.kernel = kernel;
		this.region = region;
		this.loop = loop;
		this.counters = counters;
		long startPosition = region.control().startPosition();
		this.ring = new HostRing(region.memory().buffer(), region.ring(), startPosition);
		this.replies = new PendingReplies(this.ring, startPosition);
		this.delivery = new Delivery(kernel.id(), this.ring, loop, this.replies, kernel.options().waitStrategy(),
				onLoopBroken);
		this.delivery.start();
	}

	String kernelId() {
		return this.kernel.id();
	}

	KernelRegion region() {
		return this.region;
	}

	HostRing ring() {
		return this.ring;
	}

	DeviceLoop loop() {
		return this.loop;
	}

	O call(I request, long timeoutNanos) {
		int length = this.kernel.requests().measure(request);
		long deadline = UNSET;
		long position = this.ring.tryClaim();
		if (position == HostRing.FULL) {
			deadline = deadline(timeoutNanos);
			position = claim(deadline, timeoutNanos);
		}
		publish(position, request, length);
		return await(position, deadline, timeoutNanos);
	}

	CompletableFuture<O> submit(I request, long deadline, long timeoutNanos) {
		int length = this.kernel.requests().measure(request);
		long position = this.ring.tryClaim();
		if (position == HostRing.FULL) {
			position = claim(deadline, timeoutNanos);
		}
		FutureReply<O> reply = new FutureReply<>(this, position, deadline, timeoutNanos);
		publish(position, request, length);
		register(reply);
		return reply.future();
	}

	static long deadline(long timeoutNanos) {
		long deadline = System.nanoTime() + timeoutNanos;
		return (deadline != UNSET) ? deadline : 1;
	}

	private long claim(long deadline, long timeoutNanos) {
		boolean waits = this.kernel.options().backpressure() == Backpressure.BLOCK;
		long position;
		try {
			position = waits ? this.ring.claim(deadline, this.kernel.options().waitStrategy())
					: this.ring.tryClaimAny();
		}
		catch (InterruptedException ex) {
			throw interrupted();
		}
		if (position == HostRing.FULL) {
			throw this.ended ? ended() : full(waits ? timeoutNanos : 0);
		}
		return position;
	}

	private RingFullException full(long waitedNanos) {
		this.counters.rejected();
		return new RingFullException(kernelId(), this.region.ring().slots(), this.ring.inFlight(),
				Duration.ofNanos(waitedNanos));
	}

	/**
	 * * Publishes a request that has been measured. If it does not encode after all,
	 * because an accessor of the record threw or returned something else the second time,
	 * the position is given back.
	 */
	private void publish(long position, I request, int length) {
		try {
			this.ring.publish(position, request, length, this.kernel.requests());
		}
		catch (RuntimeException | Error ex) {
			this.ring.retract(position);
			throw ex;
		}
		finally {
			this.loop.doorbell();
		}
	}

	private O await(long position, long deadline, long timeoutNanos) {
		long giveUpAt = deadline;
		for (int round = 0;; round++) {
			if (this.ring.isAnswered(position)) {
				return take(position);
			}
			if (!this.kernel.options().waitStrategy().pause(round)) {
				return awaitParked(position, (giveUpAt != UNSET) ? giveUpAt : deadline(timeoutNanos), timeoutNanos);
			}
			if ((round & NUDGE_MASK) == NUDGE_MASK) {
				this.loop.nudge();
			}
			if ((round & CHECK_MASK) == CHECK_MASK) {
				if (giveUpAt == UNSET) {
					giveUpAt = deadline(timeoutNanos);
				}
				checkWait(position, giveUpAt, timeoutNanos);
			}
		}
	}

	/**
	 * What a spinning caller does from time to time, so that it neither spins for ever
	 * nor waits for a worker that nobody wakes.
	 */
	private void checkWait(long position, long deadline, long timeoutNanos) {
		this.loop.nudge();
		if (this.ended) {
			throw ended();
		}
		if (Thread.interrupted()) {
			abandon(position);
			throw interrupted();
		}
		if (System.nanoTime() - deadline >= 0) {
			abandon(position);
			throw timedOut(timeoutNanos);
		}
	}

	private void abandon(long position) {
		ParkedCall reply = new ParkedCall(position, Thread.currentThread());
		reply.abandon();
		register(reply);
	}

	private O awaitParked(long position, long deadline, long timeoutNanos) {
		if (this.delivery.isCurrentThread()) {
			return awaitByPolling(position, deadline, timeoutNanos);
		}
		ParkedCall call = new ParkedCall(position, Thread.currentThread());
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
			throw ended();
		}
		return take(position);
	}

	/**
	 * Waits on the delivery thread itself: in a stage that depends on a future, where
	 * nobody else would see the answer.
	 */
	private O awaitByPolling(long position, long deadline, long timeoutNanos) {
		while (!this.ring.isAnswered(position)) {
			checkWait(position, deadline, timeoutNanos);
			this.loop.nudge();
			LockSupport.parkNanos(this, POLL_NANOS);
		}
		return take(position);
	}

	private void register(PendingReply reply) {
		this.replies.register(reply);
		this.delivery.wake();
		// The session is marked as ended before its replies are: one of the two sees this
		// one.
		if (this.ended) {
			reply.end();
		}
	}

	/**
	 * Takes the response at a position that is answered, and releases its slot.
	 */
	O take(long position) {
		try {
			ResponseKind kind = this.ring.responseKind(position);
			if (kind == ResponseKind.ANSWER) {
				return this.ring.response(position, this.kernel.responses());
			}
			throw failed(position, kind);
		}
		finally {
			this.ring.release(position);
		}
	}

	private HandlerFailedException failed(long position, ResponseKind kind) {
		int code = this.ring.responseDetail(position);
		Throwable cause = this.loop.takeFailure(this.ring.layout().slot(position));
		String problem = switch (kind) {
			case INVALID_REQUEST -> "the request did not arrive as a valid message";
			case INVALID_RESPONSE -> "the handler's response does not fit its layout";
			default -> "the handler failed";
		};
		return new HandlerFailedException(kernelId(),
				problem + ((cause != null) ? ": " + cause : " with error code " + code), code, cause);
	}

	private RequestTimeoutException timedOut(long timeoutNanos) {
		countTimeout();
		return new RequestTimeoutException(kernelId(), Duration.ofNanos(timeoutNanos));
	}

	private RequestInterruptedException interrupted() {
		Thread.currentThread().interrupt();
		return new RequestInterruptedException(kernelId());
	}

	void countTimeout() {
		this.counters.timedOut();
	}

	void wakeDelivery() {
		this.delivery.wake();
	}

	KernelTerminatedException ended() {
		return new KernelTerminatedException(kernelId(), this.endCause);
	}

	/**
	 * * Ends everyone's wait: what is answered is still delivered, the rest fails, even
	 * if the delivery thread is held up by a dependent stage.
	 */
	void end(@Nullable Throwable cause, Duration timeout) throws InterruptedException {
		this.endCause = cause;
		this.ended = true;
		this.ring.close();
		this.delivery.close(timeout);
		this.replies.endAll();
	}

	/**
	 * Gives back what the session holds; its memory only if nothing can reach it any
	 * more.
	 * @return whether everything was given back
	 */
	boolean release() {
		this.loop.close();
		if (this.loop.activeWorkers() > 0) {
			return false;
		}
		this.region.memory().close();
		return true;
	}

}
