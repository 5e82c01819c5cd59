package io.ringkernel.session;

import java.time.Duration;

import io.ringkernel.backend.CapturedContexts;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.ring.ContendedClaims;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.session.encoding.RequestEncoding;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a session: encodes a request, finds a slot for it and publishes it.
 * A request is encoded before a position is claimed, so an invalid one disturbs nothing.
 * <p>
 * Whatever fails behind the claim, the position is given up by a store into an array: a
 * claim returns right behind its compare-and-set, so there is no moment at which a
 * position has no owner.
 * <p>
 * <strong>The end of a session.</strong> Whether the session goes on is looked at behind
 * the claim. A producer moves the head and then loads the state of the kernel; the thread
 * that terminates the kernel stores the state and then loads the head, to see what is in
 * flight. All four are volatile accesses, so at least one of them sees the other: either
 * the termination waits for the position, or the request is refused and nothing was sent.
 */
final class RequestSender<I> {

	private final KernelSpec<?, ?> kernel;

	private final RequestEncoding<I> encoding;

	private final HostRing ring;

	private final SlotClaims claims;

	private final ContendedClaims contended;

	private final DeviceLoop loop;

	private final KernelCounters counters;

	private final SessionEnd end;

	private final Runnable gate;

	private final SlotWaiters waiters;

	private final int slotMask;

	private final BackgroundClaims background;

	private final SessionTimings timings;

	private final CapturedContexts contexts;

	/** Creates the sender. Its gate throws if what is sent now is never answered. */
	RequestSender(KernelSpec<?, ?> kernel, RequestEncoding<I> encoding, HostRing ring, DeviceLoop loop,
			SlotWaiters waiters, KernelCounters counters, SessionEnd end, Runnable gate, SessionTimings timings,
			CapturedContexts contexts, BackgroundClaims background) {
		this.contexts = contexts;
		this.timings = timings;
		this.waiters = waiters;
		this.slotMask = ring.layout().slots() - 1;
		this.kernel = kernel;
		this.encoding = encoding;
		this.ring = ring;
		this.claims = ring.claims();
		this.contended = ring.contendedClaims();
		this.loop = loop;
		this.counters = counters;
		this.end = end;
		this.gate = gate;
		this.background = background;
	}

	<F> RequestSender<F> encoding(RequestEncoding<F> other) {
		return new RequestSender<>(this.kernel, other, this.ring, this.loop, this.waiters, this.counters, this.end,
				this.gate, this.timings, this.contexts, this.background);
	}

	/**
	 * Sends a request if the next slot is free. Returns its position, or {@code NO_SLOT}.
	 */
	long trySend(I request, Admission admission) {
		return send(request, null, Deadlines.UNSET, Attempt.NEXT_SLOT, admission);
	}

	/** Sends a request, encoded in the caller's own draft, as the other method does. */
	long trySend(I request, Draft own, Admission admission) {
		return send(request, own, Deadlines.UNSET, Attempt.NEXT_SLOT, admission);
	}

	/**
	 * Sends a request if any slot is free. Returns its position, or {@code NO_SLOT}.
	 * @throws io.ringkernel.exception.KernelNotActiveException if the session has ended
	 */
	long trySendAnywhere(I request, Admission admission) {
		long position = send(request, null, Deadlines.UNSET, Attempt.ANY_SLOT, admission);
		if (position == SlotClaims.NO_SLOT) {
			this.end.checkOpen();
		}
		return position;
	}

	/**
	 * Sends a request whose next slot was seen to be busy: waits for a slot, or does not,
	 * as the kernel's backpressure says.
	 * @param timeoutNanos what the deadline was made from
	 * @throws RingFullException if there is none
	 * @throws io.ringkernel.exception.KernelNotActiveException if the session has ended
	 */
	long send(I request, long deadline, long timeoutNanos, Admission admission) {
		Attempt attempt = attempt(admission);
		long position = send(request, null, deadline, attempt, admission);
		if (position == SlotClaims.NO_SLOT) {
			throw full(attempt, timeoutNanos);
		}
		return position;
	}

	private Attempt attempt(Admission admission) {
		return admission.waits(this.kernel.options().backpressure()) ? Attempt.UNTIL_DEADLINE : Attempt.ANY_SLOT;
	}

	private RingFullException full(Attempt attempt, long timeoutNanos) {
		this.end.checkOpen();
		return this.counters
			.rejected(new RingFullException(this.kernel.id(), this.ring.layout().slots(), this.ring.inFlight().count(),
					Duration.ofNanos((attempt == Attempt.UNTIL_DEADLINE) ? timeoutNanos : 0)));
	}

	boolean sendsRuns() {
		return this.encoding.inRuns();
	}

	/**
	 * Sends requests as far as there are free slots in a row and no request is {@code
	 * null}. Tells of their positions, and returns how many were sent.
	 */
	int trySend(I[] requests, int from, int to, PositionQueue positions) {
		int end = from;
		while (end < to && requests[end] != null) {
			end++;
		}
		long first = this.claims.head();
		int count = this.claims.countFree(first, end - from);
		Object captured = this.contexts.capture();
		long begun = this.timings.begin(first, count);
		boolean claimed = false;
		boolean sent = false;
		try {
			claimed = count > 0 && this.claims.tryClaimRun(first, count);
			if (claimed) {
				this.gate.run();
				for (int i = 0; i < count; i++) {
					long position = first + i;
					this.timings.claimedInRun(position, begun);
					this.contexts.put((int) position & this.slotMask, captured);
					this.encoding.publish(position, requests[from + i], null);
				}
				this.loop.doorbell();
				positions.add(first, count);
				sent = true;
			}
		}
		finally {
			if (claimed && !sent) {
				for (long position = first; position < first + count; position++) {
					this.waiters.givenUp[(int) position & this.slotMask] = position + 1;
				}
				this.waiters.wakeForGivenUp();
			}
		}
		return sent ? count : 0;
	}

	private long send(I request, @Nullable Draft own, long deadline, Attempt attempt, Admission admission) {
		long position = SlotClaims.NO_SLOT;
		try {
			Draft draft = this.encoding.encode(request, own);
			try {
				Object captured = this.contexts.capture();
				long begun = this.timings.begin();
				position = claim(deadline, attempt, admission);
				if (position != SlotClaims.NO_SLOT) {
					this.gate.run();
					this.timings.claimed(position, begun);
					this.contexts.put((int) position & this.slotMask, captured);
					this.encoding.publish(position, request, draft);
					this.loop.doorbell();
				}
			}
			finally {
				if (draft != null) {
					draft.giveBack();
				}
			}
			return position;
		}
		catch (Throwable ex) {
			if (position != SlotClaims.NO_SLOT) {
				this.waiters.givenUp[(int) position & this.slotMask] = position + 1;
				this.waiters.wakeForGivenUp();
			}
			throw ex;
		}
	}

	/** Claims a position. Nothing is called behind the claim that succeeds. */
	private long claim(long deadline, Attempt attempt, Admission admission) {
		if (attempt == Attempt.UNTIL_DEADLINE) {
			return claimWaiting(deadline, admission);
		}
		if (admission.isBackground()) {
			return this.background.tryClaim();
		}
		long position = this.claims.tryClaim();
		return (position == SlotClaims.NO_SLOT && attempt == Attempt.ANY_SLOT) ? this.contended.tryClaimAny()
				: position;
	}

	private long claimWaiting(long deadline, Admission admission) {
		try {
			return admission.isBackground() ? this.background.claim(deadline)
					: this.contended.claim(deadline, this.kernel.options().waitStrategy());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RequestInterruptedException(this.kernel.id());
		}
	}

	private enum Attempt {

		NEXT_SLOT, ANY_SLOT, UNTIL_DEADLINE

	}

}
