package io.ringkernel.test.ptx.fuzz;

import io.ringkernel.Parallel;

/**
 * What generated handlers call.
 */
public final class Called {

	/** A text that all handlers know. */
	public static final String SIGN = "sign";

	/** Numbers that all handlers know. */
	public static final int[] TABLE = { 3, -1, 0, Integer.MAX_VALUE, 7, 31, 64, Integer.MIN_VALUE };

	/** Real numbers that all handlers know. */
	public static final double[] REALS = { 0.5, -0.0, Double.NaN, 1e300 };

	/** A record that all handlers know. */
	public static final Both BOTH = new Both(17, 0.25);

	private Called() {
	}

	/**
	 * A record that no message has.
	 */
	public record Both(int number, double real) {
	}

	/** The digits of a number. */
	public static int digits(int of) {
		int digits = of >>> 31;
		for (int rest = of; rest != 0; rest /= 10) {
			digits++;
		}
		return digits;
	}

	/** One of two records, or a part of each. */
	public static Both larger(Both one, Both other) {
		if (one.real() > other.real()) {
			return one;
		}
		return (one.number() > other.number()) ? new Both(one.number(), other.real()) : other;
	}

	/** One of two numbers. */
	public static int chosen(boolean first, int one, int other) {
		return first ? one : other;
	}

	/** One of several texts. */
	public static String named(int number) {
		if (number < 0) {
			return "negative";
		}
		for (int k = 0; k < 4; k++) {
			if (number == k) {
				return "few";
			}
		}
		return ((number & 1) == 0) ? "even" : SIGN;
	}

	/** Whether a number is odd. */
	public static boolean isOdd(int number) {
		return (number & 1) != 0;
	}

	/** The first element that is not less than a number. */
	public static int found(int[] values, int least) {
		for (int value : values) {
			if (value >= least) {
				return value;
			}
		}
		return -1;
	}

	/** The sum of all elements. */
	public static double sum(int[] values) {
		double sum = 0;
		for (int value : values) {
			sum += value;
		}
		return sum;
	}

	/** A sum that forgets. */
	public static double sum(long[] values) {
		double sum = 0;
		for (int k = 0; k < values.length; k++) {
			sum = sum / 2 + values[k];
		}
		return sum;
	}

	/** The distance of the first elements. */
	public static double sum(float[] values) {
		return (values.length < 2) ? -1 : values[1] - values[0];
	}

	/** The greatest element. */
	public static double sum(double[] values) {
		double greatest = 0;
		for (double value : values) {
			greatest = Math.max(greatest, value);
		}
		return greatest;
	}

	/** A sum of elements in a row, which may not be there. */
	public static float sum(float[] values, int from, int to, int at) {
		float sum = 0;
		float last = 0;
		for (int k = from; k < to; k++) {
			last = values[at + k];
			sum = sum * 0.5f + last * k;
		}
		return sum + last;
	}

	/** Elements by way of an array that is gone with the request. */
	public static float rotated(float[] values, int by, float added) {
		float[] made = new float[values.length];
		Parallel.range(made.length, (i) -> made[i] = values[i] + added);
		float last = 0;
		for (int k = 0; k < made.length; k++) {
			last = made[(k + (by & 63)) % made.length] - last;
		}
		return last;
	}

}
