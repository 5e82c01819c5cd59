package io.ringkernel.compiler.strict;

import java.util.function.IntToLongFunction;

import io.ringkernel.Parallel;

/**
 * What {@link Parallel#smallest(int, IntToLongFunction, long[])} finds, by many threads.
 * The least values of 256 groups bound what is looked for, so that few values are left,
 * each of which is placed by how many of the others are less. If too many are left, or
 * two of these are the same, one value is found after another.
 *
 * @since 0.2.0
 */
public final class SmallestValues {

	private static final int GROUPS = 256;

	/** How many values are compared with each other at most. */
	private static final int FEW = 1024;

	private SmallestValues() {
	}

	/**
	 * Finds the least of a {@code long} for each index.
	 * @param n the number of values; none if negative
	 * @param value the value of an index
	 * @param smallest gets the least values in ascending order
	 */
	public static void smallest(int n, IntToLongFunction value, long[] smallest) {
		long[] values = new long[Math.max(n, 0)];
		Parallel.range(values.length, (i) -> values[i] = value.applyAsLong(i));
		Parallel.range(smallest.length, (rank) -> smallest[rank] = Long.MAX_VALUE);
		long bound = bound(values, smallest.length);
		long[] few = new long[FEW];
		int[] found = new int[1];
		Parallel.range(values.length, (i) -> {
			long own = values[i];
			if (own <= bound) {
				int at = Parallel.atomicAdd(found, 0, 1);
				if (at < FEW) {
					few[at] = own;
				}
			}
		});
		int count = found[0];
		boolean lacksSome = count < smallest.length && bound < Long.MAX_VALUE;
		if (count > FEW || lacksSome || !place(few, count, smallest)) {
			findOneByOne(values, smallest);
		}
	}

	/** What as many groups have a value up to as values are looked for. */
	private static long bound(long[] values, int sought) {
		long[] least = new long[GROUPS];
		Parallel.range(GROUPS, (group) -> {
			long own = Long.MAX_VALUE;
			for (int i = group; i < values.length; i += GROUPS) {
				own = Math.min(own, values[i]);
			}
			least[group] = own;
		});
		return Parallel.minLong(GROUPS, (group) -> {
			long own = least[group];
			int upTo = 0;
			for (int other = 0; other < GROUPS; other++) {
				upTo += (least[other] <= own) ? 1 : 0;
			}
			return (upTo >= sought) ? own : Long.MAX_VALUE;
		});
	}

	/** Puts values in their places, if they differ. */
	private static boolean place(long[] values, int count, long[] smallest) {
		int[] twice = new int[1];
		Parallel.range(count, (i) -> {
			long own = values[i];
			int less = 0;
			int same = 0;
			for (int other = 0; other < count; other++) {
				less += (values[other] < own) ? 1 : 0;
				same += (values[other] == own) ? 1 : 0;
			}
			if (same > 1) {
				twice[0] = 1;
			}
			if (less < smallest.length) {
				smallest[less] = own;
			}
		});
		return twice[0] == 0;
	}

	private static void findOneByOne(long[] values, long[] smallest) {
		for (int rank = 0; rank < smallest.length; rank++) {
			boolean isFirst = rank == 0;
			long before = isFirst ? Long.MIN_VALUE : smallest[rank - 1];
			smallest[rank] = Parallel.minLong(values.length,
					(i) -> (isFirst || values[i] > before) ? values[i] : Long.MAX_VALUE);
		}
	}

}
