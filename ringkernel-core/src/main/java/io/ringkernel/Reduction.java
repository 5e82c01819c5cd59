package io.ringkernel;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;

import io.ringkernel.Parallel.FloatBinaryOperator;
import io.ringkernel.Parallel.IntToFloatFunction;

/**
 * The order in which {@link Parallel} specifies that values are combined.
 */
final class Reduction {

	private static final int PARTIALS = 256;

	/** The partials that are folded first: the lanes of a warp hold them. */
	private static final int GROUP = 32;

	private Reduction() {
	}

	/** Calls for each pair that is combined while partials are folded, in order. */
	private static void fold(Pair pair) {
		for (int group = 0; group < PARTIALS; group += GROUP) {
			fold(group, GROUP, 1, pair);
		}
		fold(0, PARTIALS / GROUP, GROUP, pair);
	}

	private static void fold(int first, int count, int stride, Pair pair) {
		for (int distance = count / 2; distance > 0; distance /= 2) {
			for (int i = 0; i < distance; i++) {
				pair.combine(first + i * stride, first + (i + distance) * stride);
			}
		}
	}

	static int reduceInt(int n, int identity, IntUnaryOperator value, IntBinaryOperator operator) {
		int[] partials = new int[PARTIALS];
		Arrays.fill(partials, identity);
		for (int i = 0; i < n; i++) {
			int at = i % PARTIALS;
			partials[at] = operator.applyAsInt(partials[at], value.applyAsInt(i));
		}
		fold((to, from) -> partials[to] = operator.applyAsInt(partials[to], partials[from]));
		return partials[0];
	}

	static long reduceLong(int n, long identity, IntToLongFunction value, LongBinaryOperator operator) {
		long[] partials = new long[PARTIALS];
		Arrays.fill(partials, identity);
		for (int i = 0; i < n; i++) {
			int at = i % PARTIALS;
			partials[at] = operator.applyAsLong(partials[at], value.applyAsLong(i));
		}
		fold((to, from) -> partials[to] = operator.applyAsLong(partials[to], partials[from]));
		return partials[0];
	}

	static float reduceFloat(int n, float identity, IntToFloatFunction value, FloatBinaryOperator operator) {
		float[] partials = new float[PARTIALS];
		Arrays.fill(partials, identity);
		for (int i = 0; i < n; i++) {
			int at = i % PARTIALS;
			partials[at] = operator.applyAsFloat(partials[at], value.applyAsFloat(i));
		}
		fold((to, from) -> partials[to] = operator.applyAsFloat(partials[to], partials[from]));
		return partials[0];
	}

	static double reduceDouble(int n, double identity, IntToDoubleFunction value, DoubleBinaryOperator operator) {
		double[] partials = new double[PARTIALS];
		Arrays.fill(partials, identity);
		for (int i = 0; i < n; i++) {
			int at = i % PARTIALS;
			partials[at] = operator.applyAsDouble(partials[at], value.applyAsDouble(i));
		}
		fold((to, from) -> partials[to] = operator.applyAsDouble(partials[to], partials[from]));
		return partials[0];
	}

	/**
	 * Combines one partial with another.
	 */
	private interface Pair {

		void combine(int to, int from);

	}

}
