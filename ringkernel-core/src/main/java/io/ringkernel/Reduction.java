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
	 * Adds up an {@code int} for each index.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the sum; 0 of no values
	 */
	public static int sumInt(int n, IntUnaryOperator value) {
		return reduceInt(n, 0, value, Integer::sum);
	}

	/**
	 * Finds the least of an {@code int} for each index, as {@link Math#min} does.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the least; {@code Integer.MAX_VALUE} of no values
	 */
	public static int minInt(int n, IntUnaryOperator value) {
		return reduceInt(n, Integer.MAX_VALUE, value, Math::min);
	}

	/**
	 * Finds the greatest of an {@code int} for each index, as {@link Math#max} does.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the greatest; {@code Integer.MIN_VALUE} of no values
	 */
	public static int maxInt(int n, IntUnaryOperator value) {
		return reduceInt(n, Integer.MIN_VALUE, value, Math::max);
	}

	/**
	 * Combines an {@code int} for each index, in the order that the class specifies.
	 * @param n the number of values
	 * @param identity what each partial result begins with
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @param operator combines a partial result with a value, or with another partial
	 * result
	 * @return the result
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
	 * Adds up a {@code long} for each index.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the sum; 0 of no values
	 */
	public static long sumLong(int n, IntToLongFunction value) {
		return reduceLong(n, 0, value, Long::sum);
	}

	/**
	 * Finds the least of a {@code long} for each index, as {@link Math#min} does.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the least; {@code Long.MAX_VALUE} of no values
	 */
	public static long minLong(int n, IntToLongFunction value) {
		return reduceLong(n, Long.MAX_VALUE, value, Math::min);
	}

	/**
	 * Finds the greatest of a {@code long} for each index, as {@link Math#max} does.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the greatest; {@code Long.MIN_VALUE} of no values
	 */
	public static long maxLong(int n, IntToLongFunction value) {
		return reduceLong(n, Long.MIN_VALUE, value, Math::max);
	}

	/**
	 * Combines a {@code long} for each index, in the order that the class specifies.
	 * @param n the number of values
	 * @param identity what each partial result begins with
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @param operator combines a partial result with a value, or with another partial
	 * result
	 * @return the result
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
	 * Adds up a {@code float} for each index.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the sum; 0 of no values
	 */
	public static float sumFloat(int n, IntToFloatFunction value) {
		return reduceFloat(n, 0, value, Float::sum);
	}

	/**
	 * Finds the least of a {@code float} for each index, as {@link Math#min} does.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the least; {@code Float.POSITIVE_INFINITY} of no values
	 */
	public static float minFloat(int n, IntToFloatFunction value) {
		return reduceFloat(n, Float.POSITIVE_INFINITY, value, Math::min);
	}

	/**
	 * Finds the greatest of a {@code float} for each index, as {@link Math#max} does.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the greatest; {@code Float.NEGATIVE_INFINITY} of no values
	 */
	public static float maxFloat(int n, IntToFloatFunction value) {
		return reduceFloat(n, Float.NEGATIVE_INFINITY, value, Math::max);
	}

	/**
	 * Combines a {@code float} for each index, in the order that the class specifies.
	 * @param n the number of values
	 * @param identity what each partial result begins with
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @param operator combines a partial result with a value, or with another partial
	 * result
	 * @return the result
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
	 * Adds up a {@code double} for each index.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the sum; 0 of no values
	 */
	public static double sumDouble(int n, IntToDoubleFunction value) {
		return reduceDouble(n, 0, value, Double::sum);
	}

	/**
	 * Finds the least of a {@code double} for each index, as {@link Math#min} does.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the least; {@code Double.POSITIVE_INFINITY} of no values
	 */
	public static double minDouble(int n, IntToDoubleFunction value) {
		return reduceDouble(n, Double.POSITIVE_INFINITY, value, Math::min);
	}

	/**
	 * Finds the greatest of a {@code double} for each index, as {@link Math#max} does.
	 * @param n the number of values
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @return the greatest; {@code Double.NEGATIVE_INFINITY} of no values
	 */
	public static double maxDouble(int n, IntToDoubleFunction value) {
		return reduceDouble(n, Double.NEGATIVE_INFINITY, value, Math::max);
	}

	/**
	 * Combines a {@code double} for each index, in the order that the class specifies.
	 * @param n the number of values
	 * @param identity what each partial result begins with
	 * @param value the value of an index, from 0 to {@code n - 1}
	 * @param operator combines a partial result with a value, or with another partial
	 * result
	 * @return the result
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

	/**
	 * Combines one partial with another.
	 */
	private interface Pair {

		void combine(int to, int from);

	}

}
