package io.ringkernel.ring;

import java.util.concurrent.TimeUnit;

/**
 * Claims positions where the next slot is busy.
 * <p>
 * A slot that stays busy would hold up every producer once the head comes round to it. So
 * a producer that has waited for it <em>passes over</em> it, if another slot is free
 * ({@link SlotPassing}). The others look again instead of waiting for it. A producer that
 * has waited for longer than its {@link WaitStrategy} spins sleeps in line
 * ({@link ParkedProducers}).
 *
 * @since 0.2.0
 */
public final class ContendedClaims {

	/** How long a producer waits for a busy slot: longer than a round trip. */
	private static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	/** Once in so many looks, a producer that finds the ring full tries the next slot. */
	private static final int LOOKS_PER_NEXT = 16;

	private final RingLayout layout;

	private final SlotClaims claims;

	private final SlotWords slots;

	private final SlotPassing passing;

	private final ParkedProducers parked;

	ContendedClaims(RingLayout layout, SlotClaims claims, SlotWords slots, SlotPassing passing,
			ParkedProducers parked) {
		this.layout = layout;
		this.claims = claims;
		this.slots = slots;
		this.passing = passing;
		this.parked = parked;
	}

	/**
	 * Claims a position if any slot is free now, passing over those that are not.
	 * @return the position, or {@link SlotClaims#NO_SLOT} if every slot is in flight, a
	 * producer in line is due, or another thread keeps passing over slots
	 */
	public long tryClaimAny() {
		return this.parked.isDue(this.claims.head()) ? SlotClaims.NO_SLOT : this.passing.tryClaim();
	}

	/**
	 * Claims a position, waiting for a free slot until a deadline.
	 * @param deadline the {@link System#nanoTime} to give up at
	 * @param strategy how to wait
	 * @return the position, or {@link SlotClaims#NO_SLOT} if no slot became free
	 * @throws InterruptedException if the thread was interrupted
	 */
	public long claim(long deadline, WaitStrategy strategy) throws InterruptedException {
		long start = System.nanoTime();
		long now = start;
		for (int round = 0; now - deadline < 0 && !this.parked.isClosed(); round++) {
			boolean patient = now - start < PATIENCE_NANOS;
			long position = patient ? tryClaimSome(round) : tryClaimAsNewcomer(deadline);
			if (position != SlotClaims.NO_SLOT) {
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
		return SlotClaims.NO_SLOT;
	}

	private long tryClaimAsNewcomer(long deadline) {
		return this.parked.isDue(this.claims.head()) ? SlotClaims.NO_SLOT : this.passing.tryClaim(deadline);
	}

	/** Claims as one of those that sleep, whom newcomers overtake only so often. */
	private long claimInLine(long deadline) throws InterruptedException {
		ParkedProducers.Place place = this.parked.place(this.claims.head());
		try {
			this.parked.join(place);
			while (true) {
				long position = this.parked.mayLook(place, this.claims.head()) ? this.passing.tryClaim(deadline)
						: SlotClaims.NO_SLOT;
				long remaining = deadline - System.nanoTime();
				if (position != SlotClaims.NO_SLOT || remaining <= 0 || this.parked.isClosed()) {
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
		long last = this.claims.head() + Math.min(SlotClaims.LOOK_AHEAD, this.layout.slots() / SlotClaims.LOOK_AHEAD);
		boolean some = this.slots.isFree(last);
		return (some || round % LOOKS_PER_NEXT == 0) ? this.claims.tryClaim() : SlotClaims.NO_SLOT;
	}

	/**
	 * Finishes what a thread has left unfinished that failed while it claimed a position.
	 * Costs one load if there is nothing.
	 */
	public void repair() {
		this.passing.repair();
	}

	/**
	 * Ends every wait for a free slot, which then finds {@link SlotClaims#NO_SLOT}; later
	 * ones end at once.
	 */
	public void close() {
		this.parked.close();
	}

}
