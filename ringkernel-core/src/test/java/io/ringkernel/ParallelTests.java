package io.ringkernel;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ParallelTests {

	@Test
	void aRangeVisitsEachIndexOnce() {
		int[] visits = new int[100];
		Parallel.range(visits.length, (i) -> visits[i]++);
		assertThat(visits).containsOnly(1);
	}

	@Test
	void aNegativeRangeIsEmpty() {
		Parallel.range(-1, (i) -> {
			throw new AssertionError("called with " + i);
		});
		assertThat(Parallel.sumInt(-1, (i) -> 1)).isZero();
	}

	@Test
	void theFirstIndexThatThrowsEndsTheRange() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Parallel.range(10, (i) -> {
			if (i >= 3) {
				throw new IllegalStateException("at " + i);
			}
		})).withMessage("at 3");
	}

	@Test
	void atomicOperationsReturnWhatWasThereBefore() {
		int[] ints = { 3 };
		assertThat(Parallel.atomicAdd(ints, 0, 4)).isEqualTo(3);
		assertThat(Parallel.atomicMax(ints, 0, 6)).isEqualTo(7);
		assertThat(Parallel.atomicMax(ints, 0, 9)).isEqualTo(7);
		assertThat(Parallel.atomicCompareAndSet(ints, 0, 8, 1)).isFalse();
		assertThat(Parallel.atomicCompareAndSet(ints, 0, 9, 1)).isTrue();
		assertThat(ints).containsExactly(1);
	}

	@Test
	void noAdditionIsLostBetweenThreads() {
		long[] sum = new long[1];
		IntStream.range(0, 10_000).parallel().forEach((i) -> Parallel.atomicAdd(sum, 0, i));
		assertThat(sum).containsExactly(10_000L * 9_999 / 2);
	}

	@Test
	void thereIsNoElementBehindTheLast() {
		assertThatExceptionOfType(ArrayIndexOutOfBoundsException.class)
			.isThrownBy(() -> Parallel.atomicAdd(new int[2], 2, 1));
		assertThatExceptionOfType(ArrayIndexOutOfBoundsException.class)
			.isThrownBy(() -> Parallel.atomicMax(new long[2], -1, 1));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 31, 32, 33, 255, 256, 257, 1000 })
	void wholeNumbersAreReducedToWhatAnyOrderGives(int n) {
		int[] values = new Random(n).ints(n).toArray();
		assertThat(Parallel.sumInt(n, (i) -> values[i])).isEqualTo(Arrays.stream(values).sum());
		assertThat(Parallel.maxInt(n, (i) -> values[i]))
			.isEqualTo(Arrays.stream(values).max().orElse(Integer.MIN_VALUE));
		assertThat(Parallel.minLong(n, (i) -> values[i]))
			.isEqualTo(Arrays.stream(values).asLongStream().min().orElse(Long.MAX_VALUE));
	}

	@Test
	void floatsAreCombinedInTheSpecifiedOrder() {
		int n = 777;
		float[] values = new float[n];
		Random random = new Random(7);
		for (int i = 0; i < n; i++) {
			values[i] = random.nextFloat() * 1e6f;
		}
		float[] partials = new float[256];
		for (int p = 0; p < 256; p++) {
			for (int i = p; i < n; i += 256) {
				partials[p] += values[i];
			}
		}
		float[] groups = new float[8];
		for (int g = 0; g < 8; g++) {
			for (int distance : new int[] { 16, 8, 4, 2, 1 }) {
				for (int i = 0; i < distance; i++) {
					partials[32 * g + i] += partials[32 * g + i + distance];
				}
			}
			groups[g] = partials[32 * g];
		}
		float expected = ((groups[0] + groups[4]) + (groups[2] + groups[6]))
				+ ((groups[1] + groups[5]) + (groups[3] + groups[7]));
		assertThat(Parallel.sumFloat(n, (i) -> values[i])).isEqualTo(expected);
	}

	@Test
	void thePartialResultIsTheFirstOperand() {
		assertThat(Parallel.reduceInt(257, -1, (i) -> i, (partial, value) -> partial)).isEqualTo(-1);
		assertThat(Parallel.reduceLong(257, -1, (i) -> i, (partial, value) -> value)).isEqualTo(255);
	}

	@Test
	void nothingReducesToTheIdentities() {
		assertThat(Parallel.maxFloat(0, (i) -> 1f)).isEqualTo(Float.NEGATIVE_INFINITY);
		assertThat(Parallel.minDouble(0, (i) -> 1d)).isEqualTo(Double.POSITIVE_INFINITY);
		assertThat(Parallel.reduceDouble(0, 1, (i) -> 2, (left, right) -> left + right)).isEqualTo(256);
	}

	@Test
	void anExclusiveBodyRunsAlone() {
		int[] lock = new int[1];
		long[] sum = new long[1];
		IntStream.range(0, 10_000).parallel().forEach((i) -> {
			if (i % 3 == 0) {
				assertThat(Parallel.shared(lock, () -> lock[0])).isPositive();
			}
			else {
				Parallel.exclusive(lock, () -> sum[0] += i);
			}
		});
		assertThat(sum[0]).isEqualTo(IntStream.range(0, 10_000).filter((i) -> i % 3 != 0).asLongStream().sum());
		assertThat(lock).containsExactly(0);
	}

	@Test
	void aBodyThatThrowsLeavesTheLockFree() {
		int[] lock = new int[1];
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Parallel.exclusive(lock, () -> {
			throw new IllegalStateException();
		}));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Parallel.shared(lock, () -> {
			throw new IllegalStateException();
		}));
		assertThat(lock).containsExactly(0);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 5, 6, 7, 1000 })
	void theSmallestAreInAscendingOrder(int count) {
		long[] values = new Random(count).longs(6).toArray();
		long[] smallest = new long[count];
		Parallel.smallest(values.length, (i) -> values[i], smallest);
		long[] expected = Arrays.copyOf(Arrays.stream(values).sorted().toArray(), count);
		Arrays.fill(expected, Math.min(count, values.length), count, Long.MAX_VALUE);
		assertThat(smallest).isEqualTo(expected);
	}

	@Test
	void theSmallestNumbersAreInTheOrderOfCompareAndThenOfTheirIds() {
		float[] numbers = { 1, Float.NaN, -0f, 0, -1, Float.NEGATIVE_INFINITY, 0, -1 };
		int[] ids = new int[9];
		float[] values = new float[9];
		Parallel.smallest(numbers.length, (i) -> numbers[i], (i) -> (i == 7) ? -7 : i, ids, values);
		assertThat(ids).containsExactly(5, -7, 4, 2, 3, 6, 0, 1, Integer.MAX_VALUE);
		assertThat(values).containsExactly(Float.NEGATIVE_INFINITY, -1, -1, -0f, 0, 0, 1, Float.NaN, Float.NaN);
	}

	@Test
	void aValueThatSeveralIndicesHaveCountsOnce() {
		long[] smallest = new long[3];
		Parallel.smallest(10, (i) -> i % 2, smallest);
		assertThat(smallest).containsExactly(0, 1, Long.MAX_VALUE);
	}

}
