package io.ringkernel.compiler.strict;

/**
 * Numbers that are brought between two others, as JDK 21 and later do. The JDK's own put
 * a text together for what they throw.
 *
 * @since 0.2.0
 */
public final class StrictClamp {

	private static final String CROSSED = "min > max";

	private StrictClamp() {
	}

	/**
	 * A number, or the bound that is nearer to it.
	 * @param value the number
	 * @param min the lower bound
	 * @param max the upper bound
	 * @return the number within the bounds
	 * @throws IllegalArgumentException if the lower bound is the greater one
	 */
	public static int clamp(long value, int min, int max) {
		return (int) clamp(value, (long) min, (long) max);
	}

	/**
	 * A number, or the bound that is nearer to it.
	 * @param value the number
	 * @param min the lower bound
	 * @param max the upper bound
	 * @return the number within the bounds
	 * @throws IllegalArgumentException if the lower bound is the greater one
	 */
	public static long clamp(long value, long min, long max) {
		if (min > max) {
			throw new IllegalArgumentException(CROSSED);
		}
		return Math.min(max, Math.max(value, min));
	}

	/**
	 * A number, or the bound that is nearer to it.
	 * @param value the number
	 * @param min the lower bound
	 * @param max the upper bound
	 * @return the number within the bounds, or no number if it is none
	 * @throws IllegalArgumentException if the lower bound is the greater one, or a bound
	 * is no number
	 */
	public static double clamp(double value, double min, double max) {
		if (Double.isNaN(min) || Double.isNaN(max) || Double.compare(min, max) > 0) {
			throw new IllegalArgumentException(CROSSED);
		}
		return Math.min(max, Math.max(value, min));
	}

	/**
	 * A number, or the bound that is nearer to it.
	 * @param value the number
	 * @param min the lower bound
	 * @param max the upper bound
	 * @return the number within the bounds, or no number if it is none
	 * @throws IllegalArgumentException if the lower bound is the greater one, or a bound
	 * is no number
	 */
	public static float clamp(float value, float min, float max) {
		return (float) clamp((double) value, (double) min, (double) max);
	}

}
