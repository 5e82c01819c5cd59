package io.ringkernel.spring.ai.index;

/**
 * How long a pass waits for callers who had an answer just before and are about to ask
 * again, as shares of the time that the last pass took. A caller who comes too late waits
 * for all of the pass, and from then on there are two groups of callers who take turns.
 * Queries are counted besides the first.
 */
record PassPatience(int wanted, long passNanos) {

	private static final int SHARE_IN_ALL = 2;

	/**
	 * An answer passes several threads and is made documents of before its caller asks
	 * again. From then on callers come one after another.
	 */
	private static final int SHARE_UNTIL_THE_FIRST = 4;

	private static final int SHARE_BETWEEN_TWO = 8;

	/** Whether the pass waits on. */
	boolean lasts(int waiting, long waitedNanos, long quietNanos, boolean anyCame) {
		return waiting < this.wanted && waitedNanos < this.passNanos / SHARE_IN_ALL
				&& quietNanos < this.passNanos / (anyCame ? SHARE_BETWEEN_TWO : SHARE_UNTIL_THE_FIRST);
	}

}
