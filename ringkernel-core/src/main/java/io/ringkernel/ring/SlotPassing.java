package io.ringkernel.ring;

import java.util.concurrent.locks.LockSupport;

/**
 * Passes over slots that stay busy: takes their positions and declares them void. One
 * thread at a time does so, which is rare.
 * <p>
 * <strong>It costs the kernel a look at each void position</strong>, and leaves the slots
 * behind for a lap. In a full ring whose slots come back a little out of order, each
 * claim would void a third of a lap. So a producer that may wait does so for as long as
 * the looks would take. It gains no more than that by waiting longer, and loses no more
 * by having waited in vain. One producer at a time waits so; it wakes the next when it
 * has a slot.
 * <p>
 * <strong>No lock is left behind.</strong> Each {@link TryLock} is given back by a store,
 * so a thread that runs out of stack in between does not keep it. What it had begun to
 * pass over is in {@link #passing}, and the next thread finishes it.
 */
final class SlotPassing {

	/** A look of a kernel at a position is a read of the bus. */
	private static final long NANOS_PER_LOOK = 2_000;

	private static final long MAX_WAIT_NANOS = 1_000_000;

	/** A thread takes longer to be woken up than to wait for so long. */
	private static final long MAX_SPIN_NANOS = 20_000;

	private final RingLayout layout;

	private final SlotClaims claims;

	private final SkippedLaps skippedLaps;

	private final ClaimHead head;

	private final SlotWords slots;

	private final ParkedProducers parked;

	/** The lock of the thread that passes over slots. */
	private final TryLock lock = new TryLock();

	/** The lock of the thread that waits before it does. */
	private final TryLock waiting = new TryLock();

	/**
	 * The position that is being passed over, or {@link SlotClaims#NO_SLOT}. Written by
	 * the thread that has the lock.
	 */
	private volatile long passing = SlotClaims.NO_SLOT;

	SlotPassing(RingLayout layout, SlotClaims claims, SkippedLaps skippedLaps, ClaimHead head, SlotWords slots,
			ParkedProducers parked) {
		this.layout = layout;
		this.claims = claims;
		this.skippedLaps = skippedLaps;
		this.head = head;
		this.slots = slots;
		this.parked = parked;
	}

	/**
	 * Claims a position, passing over busy slots. Returns {@link SlotClaims#NO_SLOT} if
	 * every slot is in flight, or another thread keeps passing over slots.
	 */
	long tryClaim() {
		if (!this.lock.tryTakeSoon()) {
			return this.claims.tryClaimNext();
		}
		try {
			finish();
			while (true) {
				long position = this.claims.tryClaimNext();
				if (position != SlotClaims.NO_SLOT) {
					return position;
				}
				position = this.head.get();
				if (busyFrom(position) == this.layout.slots()) {
					return SlotClaims.NO_SLOT;
				}
				passOver(position);
			}
		}
		finally {
			this.lock.taken = TryLock.FREE;
		}
	}

	/**
	 * Claims a position, passing over busy slots after a wait for them, until a deadline.
	 * Returns {@link SlotClaims#NO_SLOT} if every slot is in flight, or another thread
	 * waits.
	 */
	long tryClaim(long deadline) {
		long position = this.claims.tryClaimNext();
		if (position != SlotClaims.NO_SLOT || !this.waiting.tryTake()) {
			return position;
		}
		try {
			position = claimBehindBusy(deadline);
		}
		finally {
			this.waiting.taken = TryLock.FREE;
		}
		if (position != SlotClaims.NO_SLOT) {
			// Others were woken for free slots meanwhile, and did not have the lock.
			this.parked.signal();
		}
		return position;
	}

	private long claimBehindBusy(long deadline) {
		long begin = System.nanoTime();
		long position;
		do {
			int busy = busyFrom(this.head.get());
			if (busy == this.layout.slots()) {
				return SlotClaims.NO_SLOT;
			}
			long now = System.nanoTime();
			long left = Math.min(begin + Math.min(busy * NANOS_PER_LOOK, MAX_WAIT_NANOS) - now, deadline - now);
			if (left <= 0) {
				return tryClaim();
			}
			if (Thread.currentThread().isInterrupted()) {
				return SlotClaims.NO_SLOT;
			}
			if (left <= MAX_SPIN_NANOS) {
				Thread.onSpinWait();
			}
			else {
				LockSupport.parkNanos(this, left);
			}
			position = this.claims.tryClaimNext();
		}
		while (position == SlotClaims.NO_SLOT);
		return position;
	}

	private int busyFrom(long position) {
		int busy = 0;
		while (busy < this.layout.slots() && !this.slots.isFree(position + busy)) {
			busy++;
		}
		return busy;
	}

	/**
	 * The position that is being passed over, or {@link SlotClaims#NO_SLOT}. A kernel may
	 * have passed it already, while the word of its slot does not yet tell that it is
	 * void.
	 */
	long passing() {
		return this.passing;
	}

	/** For one thread at a time: takes no lock. */
	void passOverNext() {
		passOver(this.head.get());
	}

	/**
	 * Takes a position whose slot is busy, and declares it void. The position is noted
	 * right behind the compare-and-set, with no call in between, so that {@link #finish}
	 * finds it if this thread fails.
	 */
	private void passOver(long position) {
		if (!this.slots.isFree(position) && this.head.compareAndSet(position, position + 1)) {
			this.passing = position;
			declareSkipped(position);
			this.passing = SlotClaims.NO_SLOT;
		}
	}

	private void declareSkipped(long position) {
		this.skippedLaps.add(this.layout.slot(position), this.layout.tag(position));
		if (this.slots.passOver(position)) {
			// The slot was released meanwhile, and is free for the next lap.
			this.parked.signal();
		}
	}

	/** Finishes what a failed thread had begun. Each step may have been made already. */
	private void finish() {
		long position = this.passing;
		if (position != SlotClaims.NO_SLOT) {
			if (!this.slots.isPast(position)) {
				declareSkipped(position);
			}
			this.passing = SlotClaims.NO_SLOT;
		}
	}

	/**
	 * Writes the words of skipped laps anew from those of the slots, which no kernel can
	 * write. To be called while no loop serves the ring. A range is forgotten in the
	 * words of the slots first, so one that is forgotten meanwhile is either not written,
	 * or written before it is forgotten here as well.
	 */
	void rewriteSkipped() {
		while (!this.lock.tryTakeSoon()) {
			LockSupport.parkNanos(this, MAX_SPIN_NANOS);
		}
		try {
			finish();
			for (int slot = 0; slot < this.layout.slots(); slot++) {
				rewriteSkipped(slot);
			}
		}
		finally {
			this.lock.taken = TryLock.FREE;
		}
	}

	private void rewriteSkipped(int slot) {
		long written;
		do {
			written = this.slots.skipped(slot);
			this.skippedLaps.write(slot, written);
		}
		while (this.slots.skipped(slot) != written);
	}

	void repair() {
		if (this.passing != SlotClaims.NO_SLOT && this.lock.tryTake()) {
			try {
				finish();
			}
			finally {
				this.lock.taken = TryLock.FREE;
			}
		}
	}

}
