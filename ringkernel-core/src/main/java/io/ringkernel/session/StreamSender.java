package io.ringkernel.session;

import java.util.Objects;

import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.SlotClaims;

/**
 * The sending half of a stream, for one thread at a time. It encodes in its slots or in
 * memory of its own, so it takes nothing that other threads take as well but positions:
 * one of them for a request, or as many as there are free slots for a run of requests.
 */
final class StreamSender<I> {

	/**
	 * The most requests of a run: those of the run before are answered while it is
	 * written.
	 */
	private static final int RUN = 32;

	private final KernelSession<?, ?> session;

	private final RequestSender<I> sender;

	private final SlotWaiters waiters;

	private final PositionQueue positions;

	private final StreamPace pace;

	private final long timeoutNanos;

	private final Admission admission;

	private final Draft draft;

	private final boolean inRuns;

	StreamSender(KernelSession<?, ?> session, RequestSender<I> sender, PositionQueue positions, long timeoutNanos,
			Admission admission) {
		HostRing ring = session.ring();
		this.session = session;
		this.sender = sender;
		this.waiters = session.waiters();
		this.positions = positions;
		this.pace = new StreamPace(positions, ring.layout().slots());
		this.timeoutNanos = timeoutNanos;
		this.admission = admission;
		this.draft = ring.draft();
		this.inRuns = this.sender.sendsRuns() && !admission.isBackground();
	}

	void send(I request) {
		this.session.checkOpen();
		long position = this.sender.trySend(request, this.draft, this.admission);
		if (position == SlotClaims.NO_SLOT) {
			position = this.sender.send(request, Deadlines.in(this.timeoutNanos), this.timeoutNanos, this.admission);
		}
		queue(position);
		this.pace.sent(this.positions.count() - 1, this.positions.count());
	}

	void sendAll(I[] requests, int from, int to) {
		Objects.checkFromToIndex(from, to, requests.length);
		int next = from;
		while (next < to) {
			int sent = this.inRuns ? trySendRun(requests, next, Math.min(to, next + RUN)) : 0;
			if (sent == 0) {
				send(requests[next]);
				sent = 1;
			}
			next += sent;
		}
	}

	private int trySendRun(I[] requests, int from, int to) {
		this.session.checkOpen();
		long before = this.positions.count();
		int sent = this.sender.trySend(requests, from, to, this.positions);
		this.pace.sent(before, before + sent);
		return sent;
	}

	/** Sends a request if the next slot is free, by the thread that receives as well. */
	boolean trySend(I request, Admission admission) {
		long position = this.sender.trySend(request, this.draft, admission);
		if (position != SlotClaims.NO_SLOT) {
			queue(position);
		}
		return position != SlotClaims.NO_SLOT;
	}

	void send(I request, long deadline, Admission admission) {
		queue(this.sender.send(request, deadline, this.timeoutNanos, admission));
	}

	private void queue(long position) {
		boolean queued = false;
		try {
			this.positions.add(position);
			queued = true;
		}
		finally {
			if (!queued) {
				this.waiters.givenUp[(int) position & (this.waiters.givenUp.length - 1)] = position + 1;
			}
		}
	}

}
