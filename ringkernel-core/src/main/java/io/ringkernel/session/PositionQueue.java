package io.ringkernel.session;

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
 * <p>
 * A thread may run out of stack in any method call. Each operation therefore makes its
 * last call before the stores that keep its own account: it fails as a whole, and may be
 * tried again. The release of the count is the last call. What was stored before it is
 * stored again by the next attempt: a run that no position is counted for is overwritten.
 */
final class PositionQueue {

	private static final long NO_RUN = -1;

	/** Of each run, how many positions were added before it, and its first position. */
	private final long[] runs;

	private final int mask;

	/** Its mark is the position that would go on with the latest run. */
	private final StreamCounter added = new StreamCounter();

	/** Its mark is how many runs have a position in the queue. */
	private final StreamCounter addedRuns = new StreamCounter();

	/** Likewise. */
	private final StreamCounter taken = new StreamCounter();

	/** Its mark is the count at which the next run begins that is known. */
	private final StreamCounter takenRuns = new StreamCounter();

	/** Creates an empty queue for so many positions, a power of two. */
	PositionQueue(int capacity) {
		this.runs = new long[2 * capacity];
		this.mask = capacity - 1;
		this.added.mark = NO_RUN;
		this.takenRuns.mark = NO_RUN;
	}

	// The sender's.

	/** Adds a position. If this fails, it has not been added. */
	void add(long position) {
		add(position, 1);
	}

	/** Adds positions in a row. If this fails, none of them has been added. */
	void add(long first, int count) {
		boolean begins = first != this.added.mark;
		if (begins) {
			// If this fails, the next position begins the run that this one has not.
			this.added.mark = NO_RUN;
			storeRun(first);
		}
		this.added.release(this.added.own + count);
		// No call from here on.
		if (begins) {
			this.addedRuns.mark++;
		}
		this.added.mark = first + count;
	}

	private void storeRun(long position) {
		if (untaken() > this.mask) {
			lookAtTaken();
		}
		int at = at(this.addedRuns.mark);
		this.runs[at] = this.added.own;
		this.runs[at + 1] = position;
		this.addedRuns.release(this.addedRuns.mark + 1);
	}

	long count() {
		return this.added.own;
	}

	/** Returns how many positions the receiver has taken since the sender last looked. */
	long lookAtTaken() {
		long before = this.added.seenOther;
		this.added.seenOther = this.taken.acquire();
		return this.added.seenOther - before;
	}

	/** How many positions are in the queue at most, as the sender last saw it. */
	long untaken() {
		return this.added.own - this.added.seenOther;
	}

	// The receiver's.

	/** How many positions there are at least, as the receiver last saw. */
	long known() {
		return this.taken.seenOther - this.taken.own;
	}

	/** Looks at what the sender has added, and returns whether there is a position. */
	boolean look() {
		long positions = this.added.acquire();
		long known = this.addedRuns.acquire();
		long mark = beginning(this.takenRuns.own, known);
		// No call from here on.
		this.takenRuns.seenOther = known;
		this.takenRuns.mark = mark;
		this.taken.seenOther = positions;
		return positions > this.taken.own;
	}

	/** The next position, where one is {@linkplain #known known}. */
	long peek() {
		return isAtRun() ? this.runs[at(this.takenRuns.own) + 1] : this.taken.mark;
	}

	/**
	 * Takes the next position, which is {@linkplain #known known}. If this fails, it
	 * still is.
	 */
	long take() {
		return take(1);
	}

	/**
	 * Takes positions {@linkplain #knownInRun in a row}, at least one, and returns the
	 * first. If this fails, they are still the next ones.
	 */
	long take(int count) {
		long position = peek();
		boolean atRun = isAtRun();
		long run = this.takenRuns.own + (atRun ? 1 : 0);
		long mark = atRun ? beginning(run, this.takenRuns.seenOther) : this.takenRuns.mark;
		this.taken.release(this.taken.own + count);
		// No call from here on.
		this.takenRuns.own = run;
		this.takenRuns.mark = mark;
		this.taken.mark = position + count;
		return position;
	}

	/** How many of the known positions follow each other, from the next one on. */
	long knownInRun() {
		long known = known();
		long next = this.takenRuns.own + (isAtRun() ? 1 : 0);
		return (next < this.takenRuns.seenOther) ? Math.min(known, this.runs[at(next)] - this.taken.own) : known;
	}

	private boolean isAtRun() {
		return this.taken.own == this.takenRuns.mark;
	}

	/** The count of positions at which a run begins, if that many runs are known. */
	private long beginning(long run, long known) {
		return (run < known) ? this.runs[at(run)] : NO_RUN;
	}

	private int at(long run) {
		return 2 * ((int) run & this.mask);
	}

}
