package io.ringkernel.session;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.backend.AnswerBell;
import io.ringkernel.ring.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the response in each slot: a parked caller, a future, or nobody any more.
 * <p>
 * <strong>Giving up.</strong> A thread that fails while it owns a position (out of
 * memory, out of stack, an exception of a record's accessor) stores the position into
 * {@link #givenUp} and does nothing else. That is a store into an array, so it succeeds
 * where even a method call fails. The {@link ResponseDispatcher} does the rest: it
 * publishes an empty request where there is none, withdraws one that is there, and frees
 * the slot once it is answered. Timeouts and cancellations give up in the same way.
 * <p>
 * <strong>No wakeup is lost.</strong> A waiter stores itself with volatile access and
 * then looks at the ring once more. A worker publishes its answer and then, behind a full
 * fence, looks for a waiter. One of the two sees the other.
 */
final class SlotWaiters implements AnswerBell {

	private static final long NOBODY = 0;

	/** A {@link Thread} that is parked, a {@link FutureReply}, or nothing. */
	private final AtomicReferenceArray<@Nullable Object> bySlot;

	/** By slot, when the wait began. Cleared before the slot is freed. */
	final long[] since;

	/**
	 * By slot, one more than the position that its owner has given up; 0 if there is
	 * none. Written by the owner, cleared by the dispatcher before the slot is freed.
	 */
	final long[] givenUp;

	/**
	 * By slot, one more than the position whose response a thread is about to take; 0
	 * once it has. Touched by that thread alone, which thereby knows, after a failure
	 * anywhere, whether it still owns the position.
	 */
	final long[] owned;

	private final RingLayout layout;

	private volatile @Nullable Runnable dispatcher;

	SlotWaiters(RingLayout layout) {
		this.layout = layout;
		this.bySlot = new AtomicReferenceArray<>(layout.slots());
		this.since = new long[layout.slots()];
		this.givenUp = new long[layout.slots()];
		this.owned = new long[layout.slots()];
	}

	/** Sets what is woken when the response of a future is there. */
	void dispatcher(Runnable wake) {
		this.dispatcher = wake;
	}

	/** Gives up a position whose time began to run at some time. */
	void giveUp(long position, long since) {
		int slot = this.layout.slot(position);
		this.since[slot] = since;
		this.givenUp[slot] = position + 1;
		wakeForGivenUp();
	}

	/** The position that was given up in a slot, or -1. */
	long givenUp(int slot) {
		return this.givenUp[slot] - 1;
	}

	/** Notes that a position that was given up is answered, before its slot is freed. */
	void settled(int slot) {
		this.givenUp[slot] = 0;
		this.since[slot] = NOBODY;
	}

	/** Announces a thread that is about to park, or a future. */
	void announce(int slot, Object waiter, long since) {
		this.since[slot] = since;
		this.bySlot.set(slot, waiter);
	}

	/** Forgets a waiter, if it is still the one of its slot, before the slot is freed. */
	void forget(int slot, Object waiter) {
		this.bySlot.compareAndSet(slot, waiter, null);
	}

	@Nullable Object get(int slot) {
		return this.bySlot.get(slot);
	}

	int slots() {
		return this.givenUp.length;
	}

	@Override
	public void answered(int slot) {
		VarHandle.fullFence();
		Object waiter = this.bySlot.get(slot);
		if (waiter instanceof Thread thread) {
			LockSupport.unpark(thread);
		}
		else if (waiter instanceof FutureReply<?> reply) {
			reply.wakeServer();
			wakeDispatcher();
		}
		else if (this.givenUp[slot] != 0) {
			wakeDispatcher();
		}
	}

	/**
	 * Has the dispatcher see a position that the calling thread has given up by a plain
	 * store. The fence keeps the look at whether the dispatcher sleeps behind that store.
	 */
	void wakeForGivenUp() {
		VarHandle.fullFence();
		wakeDispatcher();
	}

	void wakeDispatcher() {
		Runnable wake = this.dispatcher;
		if (wake != null) {
			wake.run();
		}
	}

	/** Wakes every parked caller: the session has ended. */
	void wakeCallers() {
		for (int slot = 0; slot < this.givenUp.length; slot++) {
			if (this.bySlot.get(slot) instanceof Thread thread) {
				LockSupport.unpark(thread);
			}
		}
	}

	/**
	 * For how many nanoseconds the oldest response has been waited for, positions that
	 * were given up and still hold their slot included. A caller that spins is not
	 * counted; 0 if no response is waited for.
	 */
	long oldestAge(long now) {
		long oldest = 0;
		for (int slot = 0; slot < this.since.length; slot++) {
			long began = this.since[slot];
			if (began != NOBODY && (this.givenUp[slot] != 0 || this.bySlot.get(slot) != null)) {
				oldest = Math.max(oldest, now - began);
			}
		}
		return oldest;
	}

}
