package io.ringkernel.ring;

/**
 * Passes over slots that stay busy: takes their positions and declares them void. One
 * thread at a time does so, which is rare.
 * <p>
 * <strong>No lock is left behind.</strong> The {@link Turn} to pass over is given back by
 * a store, so a thread that runs out of stack in between does not keep it. What it had
 * begun to pass over is in {@link #passing}, and the next thread finishes it.
 */
final class SlotPassing {

	private final RingLayout layout;

	private final SkippedLaps skippedLaps;

	private final ClaimHead head;

	private final SlotWords slots;

	private final ParkedProducers parked;

	/** The turn of the thread that passes over slots. */
	private final Turn turn = new Turn();

	/**
	 * The position that is being passed over, or {@link SlotClaims#BUSY}. Touched by the
	 * thread that has the turn.
	 */
	private long passing = SlotClaims.BUSY;

	SlotPassing(RingLayout layout, SkippedLaps skippedLaps, ClaimHead head, SlotWords slots, ParkedProducers parked) {
		this.layout = layout;
		this.skippedLaps = skippedLaps;
		this.head = head;
		this.slots = slots;
		this.parked = parked;
	}

	/**
	 * Claims a position, passing over busy slots.
	 * @return the position, or {@link SlotClaims#BUSY} if every slot is in flight, or
	 * another thread keeps passing over slots
	 */
	long tryClaim(SlotClaims claims) {
		if (!this.turn.tryTakeSoon()) {
			return claims.tryClaim();
		}
		try {
			finish();
			while (true) {
				long position = claims.tryClaim();
				if (position != SlotClaims.BUSY) {
					return position;
				}
				position = this.head.get();
				if (!isFreeWithin(position)) {
					return SlotClaims.BUSY;
				}
				passOver(position);
			}
		}
		finally {
			this.turn.taken = Turn.FREE;
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
	 * Declares the next position void if its slot is busy. For one thread at a time.
	 */
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
			this.passing = SlotClaims.BUSY;
		}
	}

	private void declareSkipped(long position) {
		this.skippedLaps.add(this.layout.slot(position), this.layout.tag(position));
		if (this.slots.passOver(position)) {
			// The slot was released meanwhile, and is free for the next lap.
			this.parked.signal();
		}
	}

	/**
	 * Finishes what a thread had begun that failed meanwhile. Each step may have been
	 * made already, and is made once all the same.
	 */
	private void finish() {
		long position = this.passing;
		if (position != SlotClaims.BUSY) {
			if (!this.slots.isPast(position)) {
				declareSkipped(position);
			}
			this.passing = SlotClaims.BUSY;
		}
	}

	/**
	 * Finishes what a failed thread has left unfinished, if there is anything.
	 */
	void repair() {
		// A look without the turn may see an old value; a later one sees the present one.
		if (this.passing != SlotClaims.BUSY && this.turn.tryTake()) {
			try {
				finish();
			}
			finally {
				this.turn.taken = Turn.FREE;
			}
		}
	}

}
