package io.ringkernel.ring;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hands positions, and with them slots, to producers, and takes slots back in any order.
 * <p>
 * Positions are claimed in order by one compare-and-set of the head, where the
 * {@linkplain SlotWords word} of the slot says that it is free.
 * <p>
 * A slot that stays busy would hold up every producer once the head comes round to it. So
 * a producer that has waited {@link #PATIENCE_NANOS} for it <em>passes over</em> it, if
 * another slot is free: it takes the position and declares it void, under a lock, since
 * this happens only where something is slow.
 */
final class SlotClaims {

	/** What {@link #tryClaim} returns if the next slot is busy. */
	static final long BUSY = -1;

	/**
	 * How long a producer waits for the next slot before it passes over it: longer than a
	 * round trip, so that a ring under load is not full of void positions.
	 */
	static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	/** How many slots a producer looks at in a row. */
	private static final int LOOK_AHEAD = 32;

	/**
	 * A producer that finds the ring full looks at the very next slot every so many
	 * looks.
	 */
	private static final int LOOKS_PER_NEXT = 16;

	private final RingLayout layout;

	private final VoidRanges voidRanges;

	private final ClaimHead head;

	private final SlotWords slots;

	private final ReentrantLock passingOver = new ReentrantLock();

	private final ReentrantLock waiting = new ReentrantLock();

	private final Condition released = this.waiting.newCondition();

	private final Condition idle = this.waiting.newCondition();

	private final AtomicInteger waiters = new AtomicInteger();

	private volatile boolean closed;

	SlotClaims(RingLayout layout, VoidRanges voidRanges, long startPosition) {
		this.layout = layout;
		this.voidRanges = voidRanges;
		this.head = new ClaimHead(startPosition);
		this.slots = new SlotWords(layout, startPosition);
	}

	/**
	 * Claims the next position, if its slot is free.
	 */
	long tryClaim() {
		while (true) {
			long position = this.head.get();
			if (position < this.head.freeUntil() || isFreeFrom(position)) {
				if (this.head.compareAndSet(position, position + 1)) {
					return position;
				}
			}
			else if (this.head.get() == position) {
				return BUSY;
			}
		}
	}

	/**
	 * Whether the slot of a position is free; if so, looks at those behind it as well.
	 * The words of neighbouring slots share cache lines, which whoever releases slots
	 * writes: producers that come along once for many positions take them away less
	 * often. A slot that was seen free for a position stays so until the head has passed
	 * it. The bound is stored with release and loaded with acquire, which hands on what
	 * the look at the words has acquired.
	 */
	private boolean isFreeFrom(long position) {
		long end = position;
		while (end < position + LOOK_AHEAD && this.slots.isFree(end)) {
			end++;
		}
		if (end > position) {
			this.head.freeUntil(end);
		}
		return end > position;
	}

	/**
	 * Claims a position, passing over busy slots. Who waits for a slot holds the lock of
	 * the waiters and takes this one; so nobody who holds this one may take that one, and
	 * the signal for a slot that came free meanwhile is given afterwards.
	 * @return the position, or {@link #BUSY} if every slot is in flight
	 */
	long tryClaimPassingOver() {
		boolean freed = false;
		this.passingOver.lock();
		try {
			while (true) {
				long position = tryClaim();
				if (position != BUSY) {
					return position;
				}
				position = this.head.get();
				if (!isFreeWithin(position)) {
					return BUSY;
				}
				if (!this.slots.isFree(position) && this.head.compareAndSet(position, position + 1)) {
					freed |= passOver(position);
				}
			}
		}
		finally {
			this.passingOver.unlock();
			if (freed) {
				signalReleased();
			}
		}
	}

	private boolean isFreeWithin(long position) {
		for (long p = position; p < position + this.layout.slots(); p++) {
			if (this.slots.isFree(p)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Declares a position void.
	 * @return whether its slot has been released meanwhile, and is free for the next lap
	 */
	private boolean passOver(long position) {
		this.voidRanges.add(this.layout.slot(position), this.layout.tag(position));
		return this.slots.passOver(position);
	}

	/**
	 * Claims a position, waiting for a free slot until a deadline.
	 * @return the position, or {@link #BUSY} if none became free
	 */
	long claim(long deadline, WaitStrategy strategy) throws InterruptedException {
		long position = tryClaim();
		return (position != BUSY) ? position : claimPatiently(deadline, strategy);
	}

	private long claimPatiently(long deadline, WaitStrategy strategy) throws InterruptedException {
		long start = System.nanoTime();
		long now = start;
		for (int round = 0; now - deadline < 0 && !this.closed; round++) {
			long position = (now - start < PATIENCE_NANOS) ? tryClaimSome(round) : tryClaimPassingOver();
			if (position != BUSY) {
				return position;
			}
			if (!strategy.pause(round) && now - start >= PATIENCE_NANOS) {
				position = claimParked(deadline);
				if (position != BUSY) {
					return position;
				}
			}
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			now = System.nanoTime();
		}
		return BUSY;
	}

	/**
	 * Claims the next position of a ring that was full once a good number of slots is
	 * free, or at every so many looks if any is. Where slots are released as fast as they
	 * are claimed, a producer that waits for the very next one would take its word from
	 * the releaser each time; this way the two are some cache lines apart.
	 */
	private long tryClaimSome(int round) {
		long last = this.head.get() + Math.min(LOOK_AHEAD, this.layout.slots() / LOOK_AHEAD);
		boolean some = this.slots.isFree(last);
		return (some || round % LOOKS_PER_NEXT == 0) ? tryClaim() : BUSY;
	}

	/**
	 * Waits for a release. The count of waiters is raised before the ring is looked at
	 * again, and a releaser looks at the count after it has released: with both volatile,
	 * one of the two sees the other.
	 */
	private long claimParked(long deadline) throws InterruptedException {
		this.waiting.lock();
		try {
			this.waiters.incrementAndGet();
			try {
				long position = tryClaimPassingOver();
				long remaining = deadline - System.nanoTime();
				while (position == BUSY && remaining > 0 && !this.closed) {
					remaining = this.released.awaitNanos(remaining);
					position = tryClaimPassingOver();
				}
				return position;
			}
			finally {
				this.waiters.decrementAndGet();
			}
		}
		finally {
			this.waiting.unlock();
		}
	}

	/**
	 * Gives the slot of a position back.
	 */
	void release(long position) {
		this.slots.release(position);
		signalReleased();
	}

	private void signalReleased() {
		if (this.waiters.get() > 0) {
			this.waiting.lock();
			try {
				this.released.signal();
				this.idle.signalAll();
			}
			finally {
				this.waiting.unlock();
			}
		}
	}

	/**
	 * Waits until nothing is in flight.
	 * @return whether that came to pass before the deadline
	 */
	boolean awaitIdle(long deadline) throws InterruptedException {
		this.waiting.lock();
		try {
			this.waiters.incrementAndGet();
			try {
				long remaining = deadline - System.nanoTime();
				while (inFlight() > 0 && remaining > 0) {
					remaining = this.idle.awaitNanos(remaining);
				}
				return inFlight() == 0;
			}
			finally {
				this.waiters.decrementAndGet();
			}
		}
		finally {
			this.waiting.unlock();
		}
	}

	/**
	 * Ends every wait for a free slot; later ones end at once.
	 */
	void close() {
		this.closed = true;
		this.waiting.lock();
		try {
			this.released.signalAll();
		}
		finally {
			this.waiting.unlock();
		}
	}

	/**
	 * Whether a position may still be in flight. It says so of a void position, too,
	 * while the slot is held by an earlier lap.
	 */
	boolean isInFlight(long position) {
		return position < this.head.get() && this.slots.isHeld(position);
	}

	/**
	 * The slots in flight, at some moment during the call.
	 */
	int inFlight() {
		int count = 0;
		for (int slot = 0; slot < this.layout.slots(); slot++) {
			int word = this.slots.get(slot);
			long position = this.head.get();
			if (SlotWords.isPassedOver(word) || this.slots.position(slot, word, position) < position) {
				count++;
			}
		}
		return count;
	}

	/**
	 * The words of the slots.
	 */
	SlotWords words() {
		return this.slots;
	}

	/**
	 * The position that is claimed next.
	 */
	long head() {
		return this.head.get();
	}

}
