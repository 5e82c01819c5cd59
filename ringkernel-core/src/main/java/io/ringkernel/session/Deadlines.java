package io.ringkernel.session;

/**
 * Deadlines as {@link System#nanoTime} values, set only when the clock is first needed: a
 * GPU answers in about the time that reading the clock a hundred times takes.
 */
final class Deadlines {

	/** A deadline that has not been set. */
	static final long UNSET = 0;

	private Deadlines() {
	}

	static long in(long timeoutNanos) {
		long deadline = System.nanoTime() + timeoutNanos;
		return (deadline != UNSET) ? deadline : 1;
	}

	/** A deadline, set now if it has not been. */
	static long orIn(long deadline, long timeoutNanos) {
		return (deadline != UNSET) ? deadline : in(timeoutNanos);
	}

	static long earlier(long deadline, long other) {
		return (deadline - other < 0) ? deadline : other;
	}

	static boolean hasPassed(long deadline) {
		return System.nanoTime() - deadline >= 0;
	}

}
