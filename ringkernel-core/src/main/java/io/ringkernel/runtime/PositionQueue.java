package io.ringkernel.runtime;

/**
 * The positions on their way from the sender of a stream to its receiver, first in, first
 * out.
 * <p>
 * A stream that has the ring to itself sends at one position after another, so the queue
 * holds runs: where each begins, and how many positions came before it. All that the
 * sender writes per position is then its count, which the receiver reads only when it has
 * used up what it knew; so the two do not take cache lines from each other.
 * <p>
 * The sender stores the beginning of a run, then the count of runs with release, then the
 * count of positions with release. The receiver loads the count of positions with
 * acquire, and then that of runs: it finds the runs of all positions it knows. The
 * receiver stores its own count with release after it has read the beginning of a run;
 * the sender loads that with acquire before it overwrites one. The queue is never full:
 * each position in it stands for a slot that is in flight.
 */
final class PositionQueue {

	private static final long NO_RUN = -1;

	/** Of each run, how many positions were added before it, and its first position. */
	private final long[] runs;

	private final int mask;

	/** Its mark is the position that would go on with the latest run. */
	private final StreamCounter added = new StreamCounter();

	private final StreamCounter addedRuns = new StreamCounter();

	/** Likewise. */
	private final StreamCounter taken = new StreamCounter();

	/** Its mark is the count at which the next run begins that is known. */
	private final StreamCounter takenRuns = new StreamCounter();

	/**
	 * Creates an empty queue.
	 * @param capacity the most positions in it; a power of two
	 */
	PositionQueue(int capacity) {
		this.runs = new long[2 * capacity];
		this.mask = capacity - 1;
		this.added.mark(NO_RUN);
		this.takenRuns.mark(NO_RUN);
	}

	// The sender's.

	void add(long position) {
		if (position != this.added.mark()) {
			beginRun(position);
		}
		this.added.mark(position + 1);
		this.added.advance();
	}

	private void beginRun(long position) {
		if (this.added.own() - this.added.seenOther() > this.mask) {
			this.added.see(this.taken);
		}
		int at = at(this.addedRuns.own());
		this.runs[at] = this.added.own();
		this.runs[at + 1] = position;
		this.addedRuns.advance();
	}

	/**
	 * Looks at how many positions the receiver has taken.
	 * @return how many it has taken since the sender last looked
	 */
	long lookAtTaken() {
		long before = this.added.seenOther();
		return this.added.see(this.taken) - before;
	}

	/**
	 * How many positions are in the queue at most, as the sender last saw it.
	 */
	long untaken() {
		return this.added.own() - this.added.seenOther();
	}

	// The receiver's.

	/**
	 * How many positions there are at least, without a look at what the sender has added.
	 */
	long known() {
		return this.taken.seenOther() - this.taken.own();
	}

	/**
	 * Looks at what the sender has added.
	 * @return whether there is a position
	 */
	boolean look() {
		this.taken.see(this.added);
		this.takenRuns.see(this.addedRuns);
		findRun();
		return known() > 0;
	}

	/**
	 * The next position, where one is {@linkplain #known known}.
	 */
	long peek() {
		return isAtRun() ? this.runs[at(this.takenRuns.own()) + 1] : this.taken.mark();
	}

	/**
	 * Takes the next position, where one is {@linkplain #known known}.
	 */
	long take() {
		long position = peek();
		if (isAtRun()) {
			this.takenRuns.advance();
			findRun();
		}
		this.taken.mark(position + 1);
		this.taken.advance();
		return position;
	}

	/**
	 * How many of the known positions follow each other, from the next one on, at most.
	 */
	long knownInRun() {
		long known = known();
		long next = this.takenRuns.own() + (isAtRun() ? 1 : 0);
		return (next < this.takenRuns.seenOther()) ? Math.min(known, this.runs[at(next)] - this.taken.own()) : known;
	}

	private boolean isAtRun() {
		return this.taken.own() == this.takenRuns.mark();
	}

	private void findRun() {
		long run = this.takenRuns.own();
		this.takenRuns.mark((run < this.takenRuns.seenOther()) ? this.runs[at(run)] : NO_RUN);
	}

	private int at(long run) {
		return 2 * ((int) run & this.mask);
	}

}
