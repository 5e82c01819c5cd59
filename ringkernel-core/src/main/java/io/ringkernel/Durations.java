package io.ringkernel;

import java.time.Duration;

/**
 * Writes durations in messages the way users write them in configuration: {@code 5s},
 * {@code 200us}, {@code 1500ms}.
 *
 * @since 0.2.0
 */
public final class Durations {

	private static final String[] SUFFIXES = { "ns", "us", "ms", "s", "m", "h", "d" };

	/** How many of each unit make up the next one. */
	private static final int[] PER_NEXT = { 1000, 1000, 1000, 60, 60, 24 };

	private static final int NANOS = 0;

	private static final int SECONDS = 3;

	private Durations() {
	}

	/**
	 * {@return a duration as a whole number of the largest unit that states it exactly: a
	 * number and {@code ns}, {@code us}, {@code ms}, {@code s}, {@code m}, {@code h} or
	 * {@code d}} What does not fit into 64 bits of nanoseconds is written in seconds, or
	 * as ISO 8601 if it has a fraction of a second as well.
	 * @param duration the duration; negative ones included
	 */
	public static String format(Duration duration) {
		if (duration.isZero()) {
			return "0s";
		}
		if (duration.toNanosPart() == 0) {
			return format(duration.toSeconds(), SECONDS);
		}
		try {
			return format(duration.toNanos(), NANOS);
		}
		catch (ArithmeticException ex) {
			return duration.toString();
		}
	}

	private static String format(long amount, int unit) {
		long rest = amount;
		int at = unit;
		while (at < PER_NEXT.length && rest % PER_NEXT[at] == 0) {
			rest /= PER_NEXT[at];
			at++;
		}
		return rest + SUFFIXES[at];
	}

}
