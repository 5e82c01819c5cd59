package io.ringkernel.session;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.message.buffer.ArraysAhead;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.ring.HostResponses;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.session.encoding.ResponseDecoding;
import io.ringkernel.session.serving.ServingLoop;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a session: waits for the response at a position, in the thread
 * that wants it, and has {@link ResponseTaker} take it.
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

	private final ResponseTaker<O> taker;

	private final HostRing ring;

	private final HostResponses responses;

	private final ServingLoop loop;

	private final SlotWaiters waiters;

	private final ResponseDispatcher dispatcher;

	private final KernelCounters counters;

	private final SessionEnd end;

	private final WaitStrategy waitStrategy;

	private final Pacing pacing;

	ResponseReceiver(KernelSpec<?, ?> kernel, ResponseTaker<O> taker, HostRing ring, ServingLoop loop,
			SlotWaiters waiters, ResponseDispatcher dispatcher, KernelCounters counters, SessionEnd end,
			Pacing pacing) {
		this.kernel = kernel;
		this.taker = taker;
		this.ring = ring;
		this.responses = ring.responses();
		this.loop = loop;
		this.waiters = waiters;
		this.dispatcher = dispatcher;
		this.counters = counters;
		this.end = end;
		this.waitStrategy = kernel.options().waitStrategy();
		this.pacing = pacing;
	}

	<F> ResponseReceiver<F> decoding(ResponseDecoding<F> other) {
		return new ResponseReceiver<>(this.kernel, this.taker.decoding(other), this.ring, this.loop, this.waiters,
				this.dispatcher, this.counters, this.end, this.pacing);
	}

	ResponseTaker<O> taker() {
		return this.taker;
	}

	SlotWaiters waiters() {
		return this.waiters;
	}

	/**
	 * Waits for the response at a position that is noted as owned by the calling thread,
	 * and takes it. If it throws, the position is still the caller's where
	 * {@link SlotWaiters#owned} says so.
	 * @param deadline when to give up, or {@link Deadlines#UNSET} to begin waiting now
	 * @param timeoutNanos what the deadline is made from
	 */
	O await(long position, long deadline, long timeoutNanos) {
		O response = this.taker.tryTake(position);
		if (response != null) {
			return response;
		}
		ArraysAhead arrays = this.taker.ahead();
		return (this.waitStrategy == WaitStrategy.BACK_OFF) ? awaitBackingOff(position, deadline, timeoutNanos, arrays)
				: awaitBusy(position, deadline, timeoutNanos, arrays);
	}

	private O awaitBackingOff(long position, long deadline, long timeoutNanos, @Nullable ArraysAhead arrays) {
		O response = null;
		int spins = this.pacing.spins(position);
		for (int round = 0; response == null && round < spins; round++) {
			Thread.onSpinWait();
			response = this.taker.tryTake(position, arrays);
		}
		this.pacing.spun(response != null);
		long giveUpAt = deadline;
		while (response == null) {
			giveUpAt = Deadlines.orIn(giveUpAt, timeoutNanos);
			checkWait(giveUpAt, timeoutNanos);
			awaitSlow(position, giveUpAt, timeoutNanos);
			response = this.taker.tryTake(position, arrays);
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
			response = this.taker.tryTake(position, arrays);
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
			while (!this.responses.isAnswering(position)) {
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
	private void yieldWhileUsed(long position) {
		boolean used = true;
		for (int i = 0; used && i < MOST_YIELDS && !this.responses.isAnswering(position); i++) {
			long begin = System.nanoTime();
			used = WaitStrategy.tryYield() && System.nanoTime() - begin >= UNUSED_YIELD_NANOS;
		}
	}

	/**
	 * Waits for a future's response on the thread that wants it. Returns whether it is
	 * there in whole; otherwise the reply was decided or its future completed meanwhile,
	 * the time has passed, the thread was interrupted or the session has ended.
	 */
	boolean awaitAnswer(FutureReply<O> reply, long until) {
		long position = reply.position;
		long start = System.nanoTime();
		long now = start;
		boolean isWatch = false;
		this.pacing.waitBegun();
		try {
			for (int round = 0; !this.responses.isAnswered(position); round++) {
				if (!reply.isServed() || reply.isDone() || Thread.currentThread().isInterrupted()
						|| this.dispatcher.isLoopBroken() || this.end.isSet() || until - now <= 0) {
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

	@SuppressWarnings("ThreadPriorityCheck") // A courtesy; nothing depends on it.
	private void rest(long position, long nanos, long remaining) {
		this.ring.contendedClaims().repair();
		this.loop.nudge();
		if (nanos > 0) {
			LockSupport.parkNanos(this, Math.min(nanos, Math.max(1, remaining)));
			return;
		}
		for (int look = 0; look < LOOKS_PER_YIELD && !this.responses.isAnswering(position); look++) {
			Thread.onSpinWait();
		}
		Thread.yield();
	}

	/** What a waiting caller does now and then, so that it does not wait for ever. */
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

	/** Completes a future that this thread has decided. Its stages run elsewhere. */
	void complete(FutureReply<O> reply) {
		if (reply.getNumberOfDependents() == 0) {
			reply.run();
		}
		else {
			this.dispatcher.complete(reply);
		}
	}

	RequestTimeoutException timedOut(long timeoutNanos) {
		return this.counters.timedOut(new RequestTimeoutException(this.kernel.id(), Duration.ofNanos(timeoutNanos)));
	}

	/** No request was sent in time, so none is given up and none is counted. */
	RequestTimeoutException nothingSent(long timeoutNanos) {
		return RequestTimeoutException.nothingSent(this.kernel.id(), Duration.ofNanos(timeoutNanos));
	}

	RequestInterruptedException interrupted() {
		Thread.currentThread().interrupt();
		return new RequestInterruptedException(this.kernel.id());
	}

}
