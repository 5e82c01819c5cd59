package io.ringkernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * Loops whose iterations are independent. On a device, the threads of a worker share the
 * iterations; on the CPU, the thread of the handler makes them one after another.
 * <p>
 * The iterations of {@link #range} must not depend on each other: none reads or writes an
 * array element that another one writes, except by an atomic operation. If one throws an
 * exception, the loop ends with the exception of the lowest index that throws; which of
 * the later iterations have run by then is not specified.
 * <p>
 * A reduction combines its values in one order everywhere, whatever the number of
 * threads, so that its result is the same to the bit on the CPU and on every device:
 * <ol>
 * <li>There are 256 partial results, and each begins with the identity. The value of
 * index {@code i} is combined into partial {@code i % 256}, in ascending order of
 * {@code i}.</li>
 * <li>Partials {@code 32 g} to {@code 32 g + 31} are folded for each of the eight groups
 * {@code g}: with a distance of 16, 8, 4, 2 and 1, each of the first partials is combined
 * with the one at that distance behind it.</li>
 * <li>The results of the eight groups are folded in the same way, with a distance of 4, 2
 * and 1.</li>
 * </ol>
 * The partial result is the first operand of each combination. An empty range, whose
 * {@code n} is 0 or negative, gives what the identities combine to. In the body of
 * another loop or reduction, one thread combines the values, in the same order.
 *
 * <p>
 * An atomic operation changes an array element as one step, whatever other iterations,
 * and other workers of the kernel, do with that element at the same time. The order of
 * such steps is not specified: a handler gives the same result everywhere if its response
 * does not depend on that order, as that of a histogram does not. The sum of
 * floating-point numbers does, so they have no such operations: use a reduction, or add
 * multiples of a small number to a {@code long}.
 * <p>
 * Outside these loops, a step also orders what is around it: what a worker has read and
 * written before lies before it, for each worker whose own step finds the element as it
 * was left. {@link #exclusive} and {@link #shared} are made of that: a handler has
 * changes of its state exclude each other by them.
 *
 * @since 0.2.0
 */
public final class Parallel extends Reduction {

	private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

	private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

	/** In a lock: less than any number of workers that share it makes up for. */
	private static final int EXCLUSIVE = Integer.MIN_VALUE / 2;

	private Parallel() {
	}

	/**
	 * Runs a body for each index.
	 * @param n the number of iterations; none if negative
	 * @param body what to do with an index, from 0 to {@code n - 1}
	 */
	public static void range(int n, IntConsumer body) {
		for (int i = 0; i < n; i++) {
			body.accept(i);
		}
	}

	/**
	 * Runs a body for each index, as {@link #range} does. On a device, the workers of the
	 * kernel that wait for a request take a part of the indices each, so that one request
	 * is work for the whole kernel. What the handler has written before, the body sees in
	 * each worker, and what the body writes, the handler sees behind the loop.
	 * <p>
	 * Sharing out takes about seven microseconds, so it is for loops that take one worker
	 * several times as long. One request at a time is shared out: the loops of others are
	 * those of their own workers meanwhile.
	 * @param n the number of iterations; none if negative
	 * @param body what to do with an index, from 0 to {@code n - 1}
	 */
	public static void gridRange(int n, IntConsumer body) {
		range(n, body);
	}

	/**
	 * Adds to an array element atomically.
	 * @param array the array
	 * @param index the index of the element
	 * @param delta what is added
	 * @return the value before
	 * @throws ArrayIndexOutOfBoundsException if there is no such element
	 */
	public static int atomicAdd(int[] array, int index, int delta) {
		return (int) INTS.getAndAdd(array, index, delta);
	}

	/**
	 * Raises an array element to a value atomically, unless it is that or more.
	 * @param array the array
	 * @param index the index of the element
	 * @param value the value
	 * @return the value before
	 * @throws ArrayIndexOutOfBoundsException if there is no such element
	 */
	public static int atomicMax(int[] array, int index, int value) {
		int before;
		do {
			before = (int) INTS.getVolatile(array, index);
		}
		while (before < value && !INTS.compareAndSet(array, index, before, value));
		return before;
	}

	/**
	 * Sets an array element atomically, if it has a value.
	 * @param array the array
	 * @param index the index of the element
	 * @param expected the value that it has to have
	 * @param value the value that it gets
	 * @return whether it had that value
	 * @throws ArrayIndexOutOfBoundsException if there is no such element
	 */
	public static boolean atomicCompareAndSet(int[] array, int index, int expected, int value) {
		return INTS.compareAndSet(array, index, expected, value);
	}

	/**
	 * Adds to an array element atomically.
	 * @param array the array
	 * @param index the index of the element
	 * @param delta what is added
	 * @return the value before
	 * @throws ArrayIndexOutOfBoundsException if there is no such element
	 */
	public static long atomicAdd(long[] array, int index, long delta) {
		return (long) LONGS.getAndAdd(array, index, delta);
	}

	/**
	 * Raises an array element to a value atomically, unless it is that or more.
	 * @param array the array
	 * @param index the index of the element
	 * @param value the value
	 * @return the value before
	 * @throws ArrayIndexOutOfBoundsException if there is no such element
	 */
	public static long atomicMax(long[] array, int index, long value) {
		long before;
		do {
			before = (long) LONGS.getVolatile(array, index);
		}
		while (before < value && !LONGS.compareAndSet(array, index, before, value));
		return before;
	}

	/**
	 * Sets an array element atomically, if it has a value.
	 * @param array the array
	 * @param index the index of the element
	 * @param expected the value that it has to have
	 * @param value the value that it gets
	 * @return whether it had that value
	 * @throws ArrayIndexOutOfBoundsException if there is no such element
	 */
	public static boolean atomicCompareAndSet(long[] array, int index, long expected, long value) {
		return LONGS.compareAndSet(array, index, expected, value);
	}

	/**
	 * Runs a body while no other one runs with the same lock. If another worker is
	 * inside, this one waits for it, and keeps its core or its threads busy.
	 * <p>
	 * A body that throws leaves the lock free. A body must not run another one with a
	 * lock, and a parallel loop must not run any.
	 * @param <T> what the body returns
	 * @param lock a field of the handler whose first element is 0 while nobody is inside
	 * @param body what to do
	 * @return what the body returns
	 */
	public static <T> T exclusive(int[] lock, Supplier<T> body) {
		acquire(lock);
		try {
			return body.get();
		}
		finally {
			atomicAdd(lock, 0, -EXCLUSIVE);
		}
	}

	/**
	 * Runs a body while no {@linkplain #exclusive exclusive} one runs with the same lock,
	 * and others that share it may.
	 * @param <T> what the body returns
	 * @param lock a field of the handler whose first element is 0 while nobody is inside
	 * @param body what to do
	 * @return what the body returns
	 */
	public static <T> T shared(int[] lock, Supplier<T> body) {
		acquireShared(lock);
		try {
			return body.get();
		}
		finally {
			atomicAdd(lock, 0, -1);
		}
	}

	/** Translated for a device as it is. */
	private static void acquire(int[] lock) {
		boolean free;
		do {
			free = atomicCompareAndSet(lock, 0, 0, EXCLUSIVE);
		}
		while (!free);
	}

	/** Translated for a device as it is. */
	private static void acquireShared(int[] lock) {
		while (atomicAdd(lock, 0, 1) < 0) {
			atomicAdd(lock, 0, -1);
		}
	}

	/**
	 * Finds the least of a {@code long} for each index, in ascending order. A value that
	 * several indices have counts once; with the index in its lower bits, each is another
	 * one.
	 * @param n the number of values; none if negative
	 * @param value the value of an index, from 0 to {@code n - 1}, which is asked for
	 * once
	 * @param smallest gets as many of the least values as it has elements; behind those
	 * that there are, {@code Long.MAX_VALUE}
	 */
	public static void smallest(int n, IntToLongFunction value, long[] smallest) {
		long[] values = new long[Math.max(n, 0)];
		range(values.length, (i) -> values[i] = value.applyAsLong(i));
		for (int rank = 0; rank < smallest.length; rank++) {
			boolean isFirst = rank == 0;
			long before = isFirst ? Long.MIN_VALUE : smallest[rank - 1];
			smallest[rank] = minLong(values.length,
					(i) -> (isFirst || values[i] > before) ? values[i] : Long.MAX_VALUE);
		}
	}

	/**
	 * Finds the least of a {@code float} for each index, in the order of
	 * {@link Float#compare}; of equal ones, those with the smaller id first. An id and a
	 * value that several indices have count once.
	 * @param n the number of values; none if negative
	 * @param value the value of an index, from 0 to {@code n - 1}, which is asked for
	 * once
	 * @param id the id of an index, which is asked for once
	 * @param ids gets the ids of as many of the least values as it has elements; behind
	 * those that there are, {@code Integer.MAX_VALUE}
	 * @param values gets the values, and {@code Float.NaN} behind them; as long as the
	 * ids
	 * @throws ArrayIndexOutOfBoundsException if there are fewer elements for values than
	 * for ids
	 */
	public static void smallest(int n, IntToFloatFunction value, IntUnaryOperator id, int[] ids, float[] values) {
		long[] smallest = new long[ids.length];
		smallest(n, (i) -> (long) ordered(Float.floatToIntBits(value.applyAsFloat(i))) << Integer.SIZE
				| ((id.applyAsInt(i) ^ Integer.MIN_VALUE) & 0xffffffffL), smallest);
		range(ids.length, (i) -> {
			ids[i] = (int) smallest[i] ^ Integer.MIN_VALUE;
			values[i] = Float.intBitsToFloat(ordered((int) (smallest[i] >> Integer.SIZE)));
		});
	}

	/** What the bits of a number are in the order of numbers, and back. */
	private static int ordered(int bits) {
		return bits ^ ((bits >> (Integer.SIZE - 1)) & Integer.MAX_VALUE);
	}

	/** Maps an index to a {@code float}. */
	@FunctionalInterface
	public interface IntToFloatFunction {

		/**
		 * Maps an index.
		 * @param index the index
		 * @return its value
		 */
		float applyAsFloat(int index);

	}

	/** Combines two {@code float} values. */
	@FunctionalInterface
	public interface FloatBinaryOperator {

		/**
		 * Combines two values.
		 * @param left a partial result
		 * @param right a value, or another partial result
		 * @return what they combine to
		 */
		float applyAsFloat(float left, float right);

	}

}
