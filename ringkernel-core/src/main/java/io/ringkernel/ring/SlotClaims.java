package io.ringkernel.ring;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Hands positions, and with them slots, to producers, and takes slots back in any order.
 * <p>
 * Positions are claimed in order by one compare-and-set of the head, where the
 * {@linkplain SlotWords word} of the slot says that it is free.
 * <p>
 * A slot that stays busy would hold up every producer once the head comes round to it. So
 * a producer that has waited for it <em>passes over</em> it, if another slot is free
 * ({@link SlotPassing}). The others look again instead of waiting for it.
 * <p>
 * A claim returns right after its compare-and-set. A thread that runs out of stack
 * therefore does not lose it.
 */
final class SlotClaims {

	/** What {@link #tryClaim} returns if the next slot is busy. */
	static final long BUSY = -1;

	/**
	 * How long a producer waits for the next slot at least before it passes over it:
	 * longer than a round trip.
	 */
	static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	/** The longest rest between two looks at whether the ring is idle. */
	private static final long MAX_IDLE_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** How many slots a producer looks at in a row. */
	private static final int LOOK_AHEAD = 32;

	/**
	 * A producer that finds the ring full looks at the very next slot every so many
	 * looks.
	 */
	private static final int LOOKS_PER_NEXT = 16;

	private final RingLayout layout;

	private final SkippedLaps skippedLaps;

	private final ClaimHead head;

	private final SlotWords slots;

	private final ParkedProducers parked;

	private final SlotPassing passing;

	SlotClaims(RingLayout layout, SkippedLaps skippedLaps, long startPosition) {
		this.layout = layout;
		this.skippedLaps = skippedLaps;
		this.head = new ClaimHead(startPosition);
		this.slots = new SlotWords(layout, startPosition);
		this.parked = new ParkedProducers(layout.slots());
		this.passing = new SlotPassing(layout, skippedLaps, this.head, this.slots, this.parked);
	}

	/**
	 * Has a position hold its slot that was claimed before the first one of this ring. To
	 * be called before the ring is used.
	 */
	void hold(long position) {
		long head = this.head.get();
		int slot = this.layout.slot(position);
		long next = head + ((slot - head) & (this.layout.slots() - 1));
		this.slots.hold(position, next);
		this.skippedLaps.cover(slot, this.layout.tag(position + this.layout.slots()),
				this.layout.tag(next - this.layout.slots()));
	}

	/**
	 * Claims the next position, if its slot is free and no producer in line is due.
	 */
	long tryClaim() {
		return this.parked.isDue(this.head.get()) ? BUSY : tryClaimNext();
	}

	/**
	 * Claims the next position, if its slot is free.
	 */
	long tryClaimNext() {
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
	 * How many positions, from the next one on, have a free slot now. There is none while
	 * a producer in line is due.
	 * @param head the {@linkplain #head next position}
	 * @param most where to stop counting
	 */
	int countFree(long head, int most) {
		if (this.parked.isDue(head)) {
			return 0;
		}
		if (head + most <= this.head.freeUntil()) {
			return most;
		}
		int count = 0;
		while (count < most && this.slots.isFree(head + count)) {
			count++;
		}
		return count;
	}

	/**
	 * Claims positions whose slots were seen to be free, if no other thread has claimed
	 * one of them meanwhile.
	 */
	boolean tryClaimRun(long head, int count) {
		return this.head.compareAndSet(head, head + count);
	}

	/**
	 * Whether the slot of a position is free; if so, looks at those behind it as well.
	 * The words of neighbouring slots share cache lines, which threads that release slots
	 * write. A producer that looks once for many positions takes these lines away less
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
	 * Claims a position, passing over busy slots.
	 * @return the position, or {@link #BUSY} if every slot is in flight, a producer in
	 * line is due, or another thread keeps passing over slots
	 */
	long tryClaimPassingOver() {
		return this.parked.isDue(this.head.get()) ? BUSY : this.passing.tryClaim(this);
	}

	/**
	 * Declares the next position void if its slot is busy. For one thread at a time.
	 */
	void passOverNext() {
		this.passing.passOverNext();
	}

	/**
	 * Goes on as many laps later. All slots are free. For one thread at a time, which
	 * alone claims: others that look meanwhile find the slots free for laps that the head
	 * has not reached yet.
	 */
	void passLaps(int laps) {
		long head = this.head.get();
		long next = head + ((long) laps << this.layout.slotsShift());
		for (int i = 0; i < this.layout.slots(); i++) {
			this.slots.release(next + i - this.layout.slots());
		}
		this.head.compareAndSet(head, next);
	}

	/**
	 * Finishes what a failed thread has left unfinished, if there is anything.
	 */
	void repair() {
		this.passing.repair();
	}

	/**
	 * Writes the words of skipped laps anew, whatever a kernel has stored there. To be
	 * called while no loop serves the ring.
	 */
	void rewriteSkipped() {
		this.passing.rewriteSkipped();
	}

	/**
	 * Claims a position, waiting for a free slot until a deadline.
	 * @return the position, or {@link #BUSY} if none became free
	 */
	long claim(long deadline, WaitStrategy strategy) throws InterruptedException {
		long start = System.nanoTime();
		long now = start;
		for (int round = 0; now - deadline < 0 && !this.parked.isClosed(); round++) {
			boolean patient = now - start < PATIENCE_NANOS;
			long position = patient ? tryClaimSome(round) : tryClaimAsNewcomer(deadline);
			if (position != BUSY) {
				return position;
			}
			if (!strategy.pause(round) && !patient) {
				return claimInLine(deadline);
			}
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			now = System.nanoTime();
		}
		return BUSY;
	}

	private long tryClaimAsNewcomer(long deadline) {
		return this.parked.isDue(this.head.get()) ? BUSY : this.passing.tryClaim(this, deadline);
	}

	/**
	 * Claims a position as one of those that sleep, whom newcomers overtake only so
	 * often.
	 */
	private long claimInLine(long deadline) throws InterruptedException {
		ParkedProducers.Place place = this.parked.place(this.head.get());
		try {
			this.parked.join(place);
			while (true) {
				long position = this.parked.mayLook(place, this.head.get()) ? this.passing.tryClaim(this, deadline)
						: BUSY;
				long remaining = deadline - System.nanoTime();
				if (position != BUSY || remaining <= 0 || this.parked.isClosed()) {
					return position;
				}
				this.parked.park(remaining);
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
			}
		}
		finally {
			place.left = true;
			this.parked.leave(place);
		}
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
	 * Gives the slot of a position back. Returns normally if, and only if, it has:
	 * nothing is called behind the store.
	 */
	void release(long position) {
		this.slots.release(position);
	}

	/**
	 * Gives the slot of a position back, one of several in a row. A producer that waits
	 * may miss it until {@link #signalReleasedRun}.
	 */
	void releaseInRun(long position) {
		this.slots.releaseInRun(position);
	}

	/**
	 * Wakes a producer that waits for a slot, behind a run of releases. The fence stands
	 * between these stores and the look at the waiters, as {@link ParkedProducers} needs
	 * it.
	 */
	void signalReleasedRun() {
		VarHandle.fullFence();
		signalReleased();
	}

	/**
	 * Wakes a producer that waits for a slot; called behind a release.
	 */
	void signalReleased() {
		this.parked.signal();
	}

	/**
	 * Waits until nothing is in flight.
	 * @return whether that came to pass before the deadline
	 */
	boolean awaitIdle(long deadline) throws InterruptedException {
		long rest = PATIENCE_NANOS;
		while (inFlight() > 0) {
			long remaining = deadline - System.nanoTime();
			if (remaining <= 0) {
				return false;
			}
			LockSupport.parkNanos(this, Math.min(rest, remaining));
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			rest = Math.min(2 * rest, MAX_IDLE_REST_NANOS);
		}
		return true;
	}

	/**
	 * Ends every wait for a free slot; later ones end at once.
	 */
	void close() {
		this.parked.close();
	}

	/**
	 * Whether a position may still be in flight. It says so of a void position, too,
	 * while the slot is held by an earlier lap.
	 */
	boolean isInFlight(long position) {
		return position < this.head.get() && this.slots.isHeld(position);
	}

	/**
	 * Whether the slot of a position is held by that very position.
	 */
	boolean isClaimed(long position) {
		return position < this.head.get() && this.slots.isFree(position);
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
	 * About how many positions are in flight: 0, or a power of two. Requests are answered
	 * about in their order, so those in flight are the ones right behind the head. This
	 * looks 1, 2, 4, … positions behind it until one has given its slot back. An older
	 * position that still holds its slot is not seen.
	 */
	int load() {
		long position = this.head.get();
		int load = 0;
		for (int behind = 1; behind <= this.layout.slots() && this.slots.isHeld(position - behind); behind *= 2) {
			load = behind;
		}
		return load;
	}

	/**
	 * The positions before a head that hold their slots, in ascending order: claimed and
	 * not given back, each at some moment during the call. A position that a kernel has
	 * found void before the call is not among them. Until the word of its slot tells so,
	 * it is being passed over: that is looked at first, so a position that is not any
	 * more has its word.
	 */
	long[] inFlightBefore(long head) {
		long passing = this.passing.passing();
		long[] positions = new long[this.layout.slots()];
		int count = 0;
		for (int slot = 0; slot < positions.length; slot++) {
			long position = this.slots.position(slot, this.slots.holder(slot), head);
			if (position < head && position != passing) {
				positions[count++] = position;
			}
		}
		Arrays.sort(positions, 0, count);
		return Arrays.copyOf(positions, count);
	}

	/**
	 * Forgets what was passed over in the slot of a position that is claimed, as
	 * {@link SlotWords#forget} describes.
	 */
	void forgetPassedOver(long position) {
		this.slots.forget(position);
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
