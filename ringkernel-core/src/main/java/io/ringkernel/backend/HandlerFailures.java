package io.ringkernel.backend;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * The exceptions with which handlers failed, by slot, if they ran on threads of this
 * process. A worker notes one before it publishes the answer, and whoever takes the
 * answer takes it after it has found that: the answer's tag orders the two.
 *
 * @since 0.2.0
 */
public final class HandlerFailures {

	private final AtomicReferenceArray<@Nullable Throwable> bySlot;

	private volatile List<FailurePoint> points = List.of();

	/**
	 * Creates the failures of a ring in which nothing has failed.
	 * @param slots the slots of the ring
	 */
	public HandlerFailures(int slots) {
		this.bySlot = new AtomicReferenceArray<>(slots);
	}

	/**
	 * States what the codes of the handler mean; called before a device runs it.
	 * @param points where it may throw: code 1 is the first
	 */
	public void codes(List<FailurePoint> points) {
		this.points = List.copyOf(points);
	}

	/**
	 * What a code of the handler means.
	 * @param code the code
	 * @return where the handler has thrown what; {@code null} if the handler has codes of
	 * its own
	 */
	public @Nullable FailurePoint point(int code) {
		return (code > 0 && code <= this.points.size()) ? this.points.get(code - 1) : null;
	}

	/**
	 * Notes a failure; called by the worker that answers the request.
	 * @param slot the slot of the request
	 * @param cause what the handler, or the code around it, has thrown
	 */
	public void note(int slot, Throwable cause) {
		this.bySlot.set(slot, cause);
	}

	/**
	 * Forgets the failure of an earlier request, which nobody has asked about; called by
	 * the worker that has taken the request of a slot.
	 * @param slot the slot
	 */
	public void forget(int slot) {
		if (this.bySlot.getPlain(slot) != null) {
			this.bySlot.setPlain(slot, null);
		}
	}

	/**
	 * Takes the failure of a request.
	 * @param slot the slot of a request that is answered
	 * @return the exception; {@code null} if the request has not failed, or a code is all
	 * there is
	 */
	public @Nullable Throwable take(int slot) {
		return this.bySlot.getAndSet(slot, null);
	}

	/** Drops all failures that were not taken. */
	public void clear() {
		for (int slot = 0; slot < this.bySlot.length(); slot++) {
			this.bySlot.set(slot, null);
		}
	}

}
