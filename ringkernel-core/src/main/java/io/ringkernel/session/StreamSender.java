package io.ringkernel.session;

import java.util.Objects;

import io.ringkernel.ring.Draft;
import io.ringkernel.ring.DraftRun;
import io.ringkernel.ring.HostRing;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a stream, for one thread at a time. It encodes in memory of its
 * own, so it takes nothing that other threads take as well but positions: one of them for
 * a request, or as many as there are free slots for a run of requests.
 */
final class StreamSender<I extends Record> {

	private final KernelSession<I, ?> session;

	private final RequestSender<I> sender;

	private final SlotWaiters waiters;

	private final PositionQueue positions;

	private final StreamPace pace;

	private final long timeoutNanos;

	private final Admission admission;

	private final Draft draft;

	/** Nothing, where requests are too large for a run or have to be admitted singly. */
	private final @Nullable DraftRun run;

	StreamSender(KernelSession<I, ?> session, PositionQueue positions, long timeoutNanos, Admission admission) {
		HostRing ring = session.ring();
		this.session = session;
		this.sender = session.sender();
		this.waiters = session.waiters();
		this.positions = positions;
		this.pace = new StreamPace(positions, ring.layout().slots());
		this.timeoutNanos = timeoutNanos;
		this.admission = admission;
		this.draft = ring.draft();
		this.run = admission.isBackground() ? null : ring.draftRun();
	}

	void send(I request) {
		this.session.checkOpen();
		long position = this.sender.trySend(request, this.draft, this.admission);
		if (position == HostRing.NO_SLOT) {
			position = this.sender.send(request, Deadlines.in(this.timeoutNanos), this.timeoutNanos, this.admission);
		}
		queue(position);
		this.pace.sent(this.positions.count() - 1, this.positions.count());
	}

	void sendAll(I[] requests, int from, int to) {
		Objects.checkFromToIndex(from, to, requests.length);
		DraftRun own = this.run;
		if (own == null) {
			for (int i = from; i < to; i++) {
				send(requests[i]);
			}
			return;
		}
		for (int next = from; next < to; next += DraftRun.MOST) {
			sendRun(own, requests, next, to);
		}
	}

	/**
	 * Sends as many requests as a run holds. If one of them is invalid, it sends those
	 * before it.
	 */
	private void sendRun(DraftRun own, I[] requests, int from, int to) {
		this.session.checkOpen();
		long before = this.positions.count();
		RuntimeException failure = null;
		try {
			this.sender.encode(own, requests, from, to);
		}
		catch (RuntimeException ex) {
			failure = ex;
		}
		while (own.left() > 0) {
			int left = own.left();
			this.sender.trySend(own, this.positions);
			if (own.left() == left) {
				this.sender.send(own, this.positions, Deadlines.in(this.timeoutNanos), this.timeoutNanos,
						this.admission);
			}
		}
		if (failure != null) {
			throw failure;
		}
		this.pace.sent(before, this.positions.count());
	}

	/**
	 * Sends a request if the next slot is free, by the thread that receives as well.
	 * @return whether it was sent
	 */
	boolean trySend(I request, Admission admission) {
		long position = this.sender.trySend(request, this.draft, admission);
		if (position != HostRing.NO_SLOT) {
			queue(position);
		}
		return position != HostRing.NO_SLOT;
	}

	/**
	 * Sends a request, waiting for a slot.
	 */
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
