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
 * The reductions of {@link Parallel}, which specifies the order in which they combine
 * values.
 */
abstract sealed class Reduction permits Parallel {

	private static final int PARTIALS = 256;

	/** The partials that are folded first: the lanes of a warp hold them. */
	private static final int GROUP = 32;

	Reduction() {
	}

	/**
	 * {@return the sum of an {@code int} for each index; 0 of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static int sumInt(int n, IntUnaryOperator value) {
		return reduceInt(n, 0, value, Integer::sum);
	}

	/**
	 * {@return the least of an {@code int} for each index, by {@link Math#min}; {@code
	 * Integer.MAX_VALUE} of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static int minInt(int n, IntUnaryOperator value) {
		return reduceInt(n, Integer.MAX_VALUE, value, Math::min);
	}

	/**
	 * {@return the greatest of an {@code int} for each index, by {@link Math#max}; {@code
	 * Integer.MIN_VALUE} of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static int maxInt(int n, IntUnaryOperator value) {
		return reduceInt(n, Integer.MIN_VALUE, value, Math::max);
	}

	/**
	 * {@return what an {@code int} for each index combines to, in the order that the
	 * class specifies}
	 * @param n the number of values
	 * @param identity what each partial result begins with
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @param operator combines a partial result with a value, or with another partial
	 * result
	 */
	public static int reduceInt(int n, int identity, IntUnaryOperator value, IntBinaryOperator operator) {
		int[] partials = new int[PARTIALS];
		Arrays.fill(partials, identity);
		for (int i = 0; i < n; i++) {
			int at = i % PARTIALS;
			partials[at] = operator.applyAsInt(partials[at], value.applyAsInt(i));
		}
		fold((to, from) -> partials[to] = operator.applyAsInt(partials[to], partials[from]));
		return partials[0];
	}

	/**
	 * {@return the sum of a {@code long} for each index; 0 of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static long sumLong(int n, IntToLongFunction value) {
		return reduceLong(n, 0, value, Long::sum);
	}

	/**
	 * {@return the least of a {@code long} for each index, by {@link Math#min}; {@code
	 * Long.MAX_VALUE} of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static long minLong(int n, IntToLongFunction value) {
		return reduceLong(n, Long.MAX_VALUE, value, Math::min);
	}

	/**
	 * {@return the greatest of a {@code long} for each index, by {@link Math#max}; {@code
	 * Long.MIN_VALUE} of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static long maxLong(int n, IntToLongFunction value) {
		return reduceLong(n, Long.MIN_VALUE, value, Math::max);
	}

	/**
	 * {@return what a {@code long} for each index combines to, in the order that the
	 * class specifies}
	 * @param n the number of values
	 * @param identity what each partial result begins with
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @param operator combines a partial result with a value, or with another partial
	 * result
	 */
	public static long reduceLong(int n, long identity, IntToLongFunction value, LongBinaryOperator operator) {
		long[] partials = new long[PARTIALS];
		Arrays.fill(partials, identity);
		for (int i = 0; i < n; i++) {
			int at = i % PARTIALS;
			partials[at] = operator.applyAsLong(partials[at], value.applyAsLong(i));
		}
		fold((to, from) -> partials[to] = operator.applyAsLong(partials[to], partials[from]));
		return partials[0];
	}

	/**
	 * {@return the sum of a {@code float} for each index; 0 of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static float sumFloat(int n, IntToFloatFunction value) {
		return reduceFloat(n, 0, value, Float::sum);
	}

	/**
	 * {@return the least of a {@code float} for each index, by {@link Math#min}; {@code
	 * Float.POSITIVE_INFINITY} of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static float minFloat(int n, IntToFloatFunction value) {
		return reduceFloat(n, Float.POSITIVE_INFINITY, value, Math::min);
	}

	/**
	 * {@return the greatest of a {@code float} for each index, by {@link Math#max};
	 * {@code Float.NEGATIVE_INFINITY} of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static float maxFloat(int n, IntToFloatFunction value) {
		return reduceFloat(n, Float.NEGATIVE_INFINITY, value, Math::max);
	}

	/**
	 * {@return what a {@code float} for each index combines to, in the order that the
	 * class specifies}
	 * @param n the number of values
	 * @param identity what each partial result begins with
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @param operator combines a partial result with a value, or with another partial
	 * result
	 */
	public static float reduceFloat(int n, float identity, IntToFloatFunction value, FloatBinaryOperator operator) {
		float[] partials = new float[PARTIALS];
		Arrays.fill(partials, identity);
		for (int i = 0; i < n; i++) {
			int at = i % PARTIALS;
			partials[at] = operator.applyAsFloat(partials[at], value.applyAsFloat(i));
		}
		fold((to, from) -> partials[to] = operator.applyAsFloat(partials[to], partials[from]));
		return partials[0];
	}

	/**
	 * {@return the sum of a {@code double} for each index; 0 of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static double sumDouble(int n, IntToDoubleFunction value) {
		return reduceDouble(n, 0, value, Double::sum);
	}

	/**
	 * {@return the least of a {@code double} for each index, by {@link Math#min}; {@code
	 * Double.POSITIVE_INFINITY} of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static double minDouble(int n, IntToDoubleFunction value) {
		return reduceDouble(n, Double.POSITIVE_INFINITY, value, Math::min);
	}

	/**
	 * {@return the greatest of a {@code double} for each index, by {@link Math#max};
	 * {@code Double.NEGATIVE_INFINITY} of no values}
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 */
	public static double maxDouble(int n, IntToDoubleFunction value) {
		return reduceDouble(n, Double.NEGATIVE_INFINITY, value, Math::max);
	}

	/**
	 * {@return what a {@code double} for each index combines to, in the order that the
	 * class specifies}
	 * @param n the number of values
	 * @param identity what each partial result begins with
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @param operator combines a partial result with a value, or with another partial
	 * result
	 */
	public static double reduceDouble(int n, double identity, IntToDoubleFunction value,
			DoubleBinaryOperator operator) {
		double[] partials = new double[PARTIALS];
		Arrays.fill(partials, identity);
		for (int i = 0; i < n; i++) {
			int at = i % PARTIALS;
			partials[at] = operator.applyAsDouble(partials[at], value.applyAsDouble(i));
		}
		fold((to, from) -> partials[to] = operator.applyAsDouble(partials[to], partials[from]));
		return partials[0];
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

	private interface Pair {

		void combine(int to, int from);

	}

}
