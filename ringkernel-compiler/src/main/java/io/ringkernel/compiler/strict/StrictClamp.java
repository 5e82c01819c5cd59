package io.ringkernel.compiler.strict;

/**
 * Numbers that are brought between two others, as JDK 21 and later do. The JDK's own put
 * a text together for what they throw: an {@link IllegalArgumentException} if the lower
 * bound is the greater one, or a bound is no number.
 *
 * @since 0.2.0
 */
public final class StrictClamp {

	private static final String CROSSED = "min > max";

	private StrictClamp() {
	}

	public static int clamp(long value, int min, int max) {
		return (int) clamp(value, (long) min, (long) max);
	}

	public static long clamp(long value, long min, long max) {
		if (min > max) {
			throw new IllegalArgumentException(CROSSED);
		}
		return Math.min(max, Math.max(value, min));
	}

	public static double clamp(double value, double min, double max) {
		if (Double.isNaN(min) || Double.isNaN(max) || Double.compare(min, max) > 0) {
			throw new IllegalArgumentException(CROSSED);
		}
		return Math.min(max, Math.max(value, min));
	}

	public static float clamp(float value, float min, float max) {
		return (float) clamp((double) value, (double) min, (double) max);
	}

}
