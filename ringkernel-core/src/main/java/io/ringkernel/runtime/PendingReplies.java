package io.ringkernel.runtime;

import java.util.concurrent.atomic.AtomicReferenceArray;

import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.PositionCursor;
import org.jspecify.annotations.Nullable;

/**
 * The requests that the delivery thread watches, by slot.
 */
final class PendingReplies {

	private final HostRing ring;

	private final AtomicReferenceArray<@Nullable PendingReply> bySlot;

	/** Touched by the delivery thread alone. */
	private final PositionCursor oldest;

	PendingReplies(HostRing ring, long startPosition) {
		this.ring = ring;
		this.bySlot = new AtomicReferenceArray<>(ring.layout().slots());
		this.oldest = PositionCursor.inFlight(ring, startPosition);
	}

	/**
	 * Registers a reply; called by the owner of its position.
	 */
	void register(PendingReply reply) {
		this.bySlot.set(this.ring.layout().slot(reply.position()), reply);
	}

	/**
	 * Looks at every reply once.
	 */
	void scan(Visitor visitor) {
		long head = this.ring.head();
		for (long p = this.oldest.before(head); p < head; p++) {
			PendingReply reply = this.bySlot.get(this.ring.layout().slot(p));
			if (reply != null) {
				visitor.visit(reply);
			}
		}
	}

	/**
	 * Forgets a reply, before its slot is released.
	 */
	void remove(PendingReply reply) {
		this.bySlot.set(this.ring.layout().slot(reply.position()), null);
	}

	/**
	 * For how long the oldest reply has been waited for, those that were given up and
	 * whose slots are still held included. Whose caller spins all the time is not here.
	 * @return nanoseconds; 0 if there is none
	 */
	long oldestAge(long now) {
		long oldest = 0;
		for (int slot = 0; slot < this.bySlot.length(); slot++) {
			PendingReply reply = this.bySlot.get(slot);
			if (reply != null) {
				oldest = Math.max(oldest, now - reply.since());
			}
		}
		return oldest;
	}

	/**
	 * Ends every reply.
	 */
	void endAll() {
		for (int slot = 0; slot < this.bySlot.length(); slot++) {
			PendingReply reply = this.bySlot.getAndSet(slot, null);
			if (reply != null) {
				reply.end();
			}
		}
	}

	interface Visitor {

		void visit(PendingReply reply);

	}

}
