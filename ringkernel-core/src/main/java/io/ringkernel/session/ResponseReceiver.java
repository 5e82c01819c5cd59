package io.ringkernel.session;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.CorruptMessageException;
import io.ringkernel.HandlerFailedException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RequestLostException;
import io.ringkernel.RequestTimeoutException;
import io.ringkernel.backend.FailurePoint;
import io.ringkernel.backend.HandlerFailures;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.message.ArraysAhead;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.WaitStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a session: waits for the response at a position, in the thread
 * that wants it, and takes it.
 */
final class ResponseReceiver<O> {

	/** A spinning caller looks at the clock and the state when these bits are all set. */
	private static final int CHECK_MASK = 63;

	/** How often a caller looks at the ring before it yields its core once more. */
	private static final int LOOKS_PER_YIELD = 16;

	/** How often a caller yields its core before it sleeps, if others use it. */
	private static final int MOST_YIELDS = 4;

	/** A yield that takes less has found nobody who wants the core. */
	private static final long UNUSED_YIELD_NANOS = 1_500;

	private final KernelSpec<?, ?> kernel;

	private final ResponseDecoding<O> decoding;

	private final HostRing ring;

	private final ServingLoop loop;

	private final HandlerFailures failures;

	private final SlotWaiters waiters;

	private final ResponseDispatcher dispatcher;

	private final KernelCounters counters;

	private final SessionEnd end;

	private final WaitStrategy waitStrategy;

	private final SessionTimings timings;

	private final Pacing pacing;

	ResponseReceiver(KernelSpec<?, ?> kernel, ResponseDecoding<O> decoding, HostRing ring, ServingLoop loop,
			SlotWaiters waiters, ResponseDispatcher dispatcher, KernelCounters counters, SessionEnd end,
			SessionTimings timings, Pacing pacing) {
		this.timings = timings;
		this.kernel = kernel;
		this.decoding = decoding;
		this.ring = ring;
		this.loop = loop;
		this.failures = loop.region().notes().failures();
		this.waiters = waiters;
		this.dispatcher = dispatcher;
		this.counters = counters;
		this.end = end;
		this.waitStrategy = kernel.options().waitStrategy();
		this.pacing = pacing;
	}

	/**
	 * The receiver of the same session for responses that are decoded in another way.
	 */
	<F> ResponseReceiver<F> decoding(ResponseDecoding<F> other) {
		return new ResponseReceiver<>(this.kernel, other, this.ring, this.loop, this.waiters, this.dispatcher,
				this.counters, this.end, this.timings, this.pacing);
	}

	SlotWaiters waiters() {
		return this.waiters;
	}

	/**
	 * Waits for the response at a position and takes it. If it throws, the position is
	 * still the caller's where {@link SlotWaiters#owned} says so.
	 * @param position a position that is noted as owned by the calling thread
	 * @param deadline when to give up, or {@link Deadlines#UNSET} to begin waiting now
	 * @param timeoutNanos what the deadline is made from
	 */
	O await(long position, long deadline, long timeoutNanos) {
		O response = tryTake(position);
		if (response != null) {
			return response;
		}
		ArraysAhead arrays = this.decoding.ahead();
		return (this.waitStrategy == WaitStrategy.BACK_OFF) ? awaitBackingOff(position, deadline, timeoutNanos, arrays)
				: awaitBusy(position, deadline, timeoutNanos, arrays);
	}

	private O awaitBackingOff(long position, long deadline, long timeoutNanos, @Nullable ArraysAhead arrays) {
		O response = null;
		int spins = this.pacing.spins(position);
		for (int round = 0; response == null && round < spins; round++) {
			Thread.onSpinWait();
			response = tryTake(position, arrays);
		}
		this.pacing.spun(response != null);
		long giveUpAt = deadline;
		while (response == null) {
			giveUpAt = Deadlines.orIn(giveUpAt, timeoutNanos);
			checkWait(giveUpAt, timeoutNanos);
			awaitSlow(position, giveUpAt, timeoutNanos);
			response = tryTake(position, arrays);
		}
		return response;
	}

	private O awaitBusy(long position, long deadline, long timeoutNanos, @Nullable ArraysAhead arrays) {
		long giveUpAt = deadline;
		O response = null;
		for (int round = 0; response == null; round++) {
			this.waitStrategy.pause(round);
			// Beside busy neighbours, a yield alone can take milliseconds.
			if ((round & CHECK_MASK) == CHECK_MASK || round >= WaitStrategy.SPINS) {
				giveUpAt = Deadlines.orIn(giveUpAt, timeoutNanos);
				checkWait(giveUpAt, timeoutNanos);
			}
			if (round % WaitStrategy.SPINS == 0 && round > 0) {
				this.loop.nudge();
			}
			response = tryTake(position, arrays);
		}
		return response;
	}

	/**
	 * Waits until the response at a position has begun to arrive. The thread is announced
	 * meanwhile, so that a loop which rings a bell wakes it.
	 */
	private void awaitSlow(long position, long deadline, long timeoutNanos) {
		int slot = this.ring.layout().slot(position);
		Thread current = Thread.currentThread();
		long start = System.nanoTime();
		long now = start;
		boolean isWatch = false;
		this.waiters.announce(slot, current, start);
		this.pacing.waitBegun();
		try {
			if (this.loop.rings()) {
				yieldWhileUsed(position);
			}
			while (!this.ring.isAnswering(position)) {
				checkWait(deadline, timeoutNanos);
				isWatch = isWatch || this.pacing.tryWatch();
				rest(position, this.pacing.rest(now - start, isWatch), deadline - now);
				now = System.nanoTime();
			}
			this.pacing.observed(now - start);
		}
		finally {
			this.pacing.waitEnded(isWatch);
			this.waiters.forget(slot, current);
		}
	}

	/**
	 * Yields the core while other threads use it. If all cores are busy, the worker is
	 * one of those threads, and a switch to it costs less than a sleep and a wakeup: with
	 * 32 connections on two cores, a request over HTTP takes 69 µs of CPU time in place
	 * of 85.
	 */
	@SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing depends on it.
	private void yieldWhileUsed(long position) {
		boolean used = true;
		for (int i = 0; used && i < MOST_YIELDS && !this.ring.isAnswering(position); i++) {
			long begin = System.nanoTime();
			Thread.yield();
			used = System.nanoTime() - begin >= UNUSED_YIELD_NANOS;
		}
	}

	/**
	 * Waits for a future's response on the thread that wants it.
	 * @param until when to give up
	 * @return whether it is there in whole; otherwise the reply was decided meanwhile,
	 * the time has passed, the thread was interrupted or the session has ended
	 */
	boolean awaitAnswer(FutureReply<O> reply, long until) {
		long position = reply.position();
		long start = System.nanoTime();
		long now = start;
		boolean isWatch = false;
		this.pacing.waitBegun();
		try {
			for (int round = 0; !this.ring.isAnswered(position); round++) {
				if (!reply.isServed() || Thread.currentThread().isInterrupted() || this.dispatcher.isLoopBroken()
						|| this.end.isSet() || until - now <= 0) {
					return false;
				}
				if (round < WaitStrategy.SPINS) {
					Thread.onSpinWait();
				}
				else {
					isWatch = isWatch || this.pacing.tryWatch();
					rest(position, this.pacing.rest(now - start, isWatch), until - now);
				}
				now = System.nanoTime();
			}
			return true;
		}
		finally {
			this.pacing.waitEnded(isWatch);
		}
	}

	/**
	 * Rests once.
	 * @param nanos for how long, as {@link Pacing} says
	 */
	@SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing depends on it.
	private void rest(long position, long nanos, long remaining) {
		this.ring.repair();
		this.loop.nudge();
		if (nanos > 0) {
			LockSupport.parkNanos(this, Math.min(nanos, Math.max(1, remaining)));
			return;
		}
		for (int look = 0; look < LOOKS_PER_YIELD && !this.ring.isAnswering(position); look++) {
			Thread.onSpinWait();
		}
		Thread.yield();
	}

	/**
	 * What a waiting caller does from time to time, so that it does not wait for ever.
	 */
	private void checkWait(long deadline, long timeoutNanos) {
		if (this.dispatcher.isLoopBroken() || this.end.isSet()) {
			throw this.end.exception();
		}
		if (Thread.interrupted()) {
			throw interrupted();
		}
		if (Deadlines.hasPassed(deadline)) {
			throw timedOut(timeoutNanos);
		}
	}

	/**
	 * Has the dispatcher see to a reply, which is announced. The session is marked as
	 * ended before its replies are ended: either that finds this one, or this finds the
	 * mark.
	 */
	void handBack(FutureReply<O> reply) {
		this.waiters.wakeDispatcher();
		if (this.end.isSet() && reply.end(this.end.exception())) {
			complete(reply);
		}
	}

	/**
	 * Completes a future that was decided by the thread that waits for it. Stages that
	 * depend on it run elsewhere.
	 */
	void complete(FutureReply<O> reply) {
		if (reply.getNumberOfDependents() == 0) {
			reply.run();
		}
		else {
			this.dispatcher.complete(reply);
		}
	}

	/**
	 * Whether the response at a position has begun to arrive.
	 */
	boolean isAnswering(long position) {
		return this.ring.isAnswering(position);
	}

	/**
	 * Takes the response at a position that is answered, and frees its slot.
	 */
	O take(long position) {
		O response = tryTake(position);
		if (response == null) {
			free(position);
			throw this.counters.failed(new CorruptMessageException(
					"The response at position %d changed while it was read.".formatted(position)));
		}
		return response;
	}

	/**
	 * Takes the response at a position and frees its slot, if the response is there in
	 * whole.
	 * @return the response, or {@code null} if it is not, or a part of it is still on its
	 * way
	 */
	@Nullable O tryTake(long position) {
		return tryTake(position, null);
	}

	private @Nullable O tryTake(long position, @Nullable ArraysAhead arrays) {
		if (!this.ring.isAnswering(position)) {
			return null;
		}
		O response;
		try {
			response = read(position, null, arrays);
		}
		catch (RuntimeException | Error ex) {
			free(position);
			throw ex;
		}
		if (response != null) {
			free(position);
		}
		return response;
	}

	/**
	 * Decodes the response at a position that is being answered. The position is still
	 * the caller's, whatever comes of it.
	 * @param own what to decode it through; {@code null} for a draft that is shared
	 * @return the response, or {@code null} if a part of it is still on its way
	 */
	@Nullable O read(long position, @Nullable Draft own) {
		return read(position, own, null);
	}

	private @Nullable O read(long position, @Nullable Draft own, @Nullable ArraysAhead arrays) {
		try {
			return readKind(position, own, arrays);
		}
		catch (CorruptMessageException ex) {
			throw this.counters.failed(ex);
		}
	}

	private @Nullable O readKind(long position, @Nullable Draft own, @Nullable ArraysAhead arrays) {
		O response = readData(position, own, arrays);
		if (response == null) {
			RuntimeException failure = failure(position);
			if (failure != null) {
				throw failure;
			}
		}
		return response;
	}

	/**
	 * What a response says that is no message; {@code null} if it is one.
	 */
	private @Nullable RuntimeException failure(long position) {
		return switch (this.ring.responseKind(position)) {
			case DATA -> null;
			case WITHDRAWN -> new CorruptMessageException(
					"The response at position %d says that its request was withdrawn; it was not.".formatted(position));
			case HANDLER_FAILED -> failed(position, "the handler failed");
			case INVALID_REQUEST -> failed(position, "the request did not arrive as a valid message");
			case LOST -> this.counters.failed(new RequestLostException(this.kernel.id(), position));
			case INVALID_RESPONSE -> failed(position, "the handler's response does not fit its layout");
		};
	}

	/**
	 * Reads a response that is a message.
	 * <p>
	 * A header that a loop had begun an answer with when it was ended by force is
	 * replaced by that of the answer which counts. If that happens between two looks at
	 * it, they do not fit together: the next ones do.
	 */
	private @Nullable O readData(long position, @Nullable Draft own, @Nullable ArraysAhead arrays) {
		try {
			O packed = this.decoding.decodePacked(position);
			if (packed != null) {
				return packed;
			}
			return this.ring.isData(position) ? this.decoding.decode(position, own, arrays) : null;
		}
		catch (CorruptMessageException ex) {
			if (this.ring.isData(position)) {
				throw ex;
			}
			return null;
		}
	}

	/**
	 * Frees the slot of a position that is answered. If anything fails before it is free,
	 * the position is given up, and the dispatcher frees it.
	 */
	private void free(long position) {
		int slot = (int) position & (this.waiters.owned.length - 1);
		boolean freed = false;
		try {
			this.timings.answered(position);
			this.waiters.owned[slot] = 0;
			if (this.waiters.since[slot] != 0) {
				this.waiters.since[slot] = 0;
			}
			this.ring.free(position);
			freed = true;
		}
		finally {
			if (!freed) {
				this.waiters.owned[slot] = 0;
				this.waiters.givenUp[slot] = position + 1;
			}
		}
		this.ring.signalFreed();
	}

	/**
	 * Frees the slots of positions in a row whose responses were taken, without a fence
	 * for each. If anything fails before one of them is free, it and those behind it are
	 * given up.
	 */
	void freeRun(long first, int count) {
		long[] owned = this.waiters.owned;
		long[] givenUp = this.waiters.givenUp;
		long end = first + count;
		long position = first;
		try {
			while (position < end) {
				this.timings.answered(position);
				int slot = (int) position & (owned.length - 1);
				owned[slot] = 0;
				if (this.waiters.since[slot] != 0) {
					this.waiters.since[slot] = 0;
				}
				this.ring.freeInRun(position);
				position++;
			}
		}
		finally {
			for (; position < end; position++) {
				owned[(int) position & (owned.length - 1)] = 0;
				givenUp[(int) position & (owned.length - 1)] = position + 1;
			}
		}
	}

	private HandlerFailedException failed(long position, String problem) {
		int code = this.ring.responseDetail(position);
		Throwable cause = this.failures.take(this.ring.layout().slot(position));
		FailurePoint point = this.failures.point(code);
		if (point != null) {
			return this.counters
				.failed(new HandlerFailedException(this.kernel.id(), "%s: %s".formatted(problem, point), 0, null));
		}
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
