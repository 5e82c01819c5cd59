package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Loops that the workers of a kernel share.
 */
final class Grids {

	private Grids() {
	}

	static List<Sample<?, ?>> samples() {
		List<Query> queries = Arrays.stream(Inputs.LENGTHS)
			.mapToObj((n) -> new Query(n, 3 * n - 7, Inputs.floats(8, n)))
			.toList();
		List<Numbers> numbers = Arrays.stream(Inputs.LENGTHS).mapToObj((n) -> new Numbers(Inputs.ints(n, n))).toList();
		List<Small> small = Arrays.stream(Inputs.LENGTHS)
			.filter((n) -> n <= 256)
			.mapToObj((n) -> new Small(Inputs.ints(n, n)))
			.toList();
		return List.of(new Sample<>(new Nearest(), Query.class, Found.class, queries),
				new Sample<>(new Squares(), Query.class, Found.class, queries),
				new Sample<>(new Counts(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Checked(), Numbers.class, Found.class, numbers),
				new Sample<>(new Kept(), Query.class, Found.class, queries),
				new Sample<>(new InRequest(), Small.class, Small.class, small));
	}

	record Query(int rows, int seed, @Capacity(8) float[] vector) {
	}

	record Found(int row, double score) {
	}

	record Numbers(@Capacity(1024) int[] values) {
	}

	/** Travels inside its slot. */
	record Small(@Capacity(256) int[] values) {
	}

	/** Reads an array of a small request, and one of the state. */
	static final class Nearest implements RingKernelHandler<Query, Found> {

		private final float[] elements = Inputs.floats(8 * 1000, 1);

		private final float[] scores = new float[1000];

		@Override
		public Found handle(Query request) {
			int rows = request.rows();
			boolean isOdd = (request.seed() & 1) != 0;
			Parallel.gridRange(rows, (row) -> {
				float sum = isOdd ? 1f : 0f;
				for (int i = 0; i < request.vector().length; i++) {
					sum += request.vector()[i] * this.elements[i * 1000 + row];
				}
				this.scores[row] = sum;
			});
			float best = Parallel.maxFloat(rows, (row) -> this.scores[row]);
			int found = Parallel.minInt(rows, (row) -> (this.scores[row] == best) ? row : Integer.MAX_VALUE);
			return new Found(found, best);
		}

	}

	/** One loop behind another, and in a loop, over an array of the request alone. */
	static final class Squares implements RingKernelHandler<Query, Found> {

		@Override
		public Found handle(Query request) {
			long[] values = new long[1000];
			double factor = request.seed() / 4.0;
			Parallel.gridRange(request.rows(), (i) -> values[i] = i + request.seed());
			for (int round = 0; round < 3; round++) {
				long added = round;
				Parallel.gridRange(request.rows(), (i) -> values[i] = values[i] * values[i] % 1009 + added);
			}
			long sum = Parallel.sumLong(request.rows(), (i) -> values[i]);
			return new Found((int) (sum % 1_000_003), sum * factor);
		}

	}

	/** Counts in an array of the request, and writes to one of the response. */
	static final class Counts implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] counts = new int[64];
			Parallel.gridRange(request.values().length, (i) -> Parallel.atomicAdd(counts, request.values()[i] & 63, 1));
			int[] ranks = new int[request.values().length];
			Parallel.gridRange(ranks.length, (i) -> {
				int below = 0;
				for (int j = 0; j < 64; j++) {
					below += (j < (request.values()[i] & 63)) ? counts[j] : 0;
				}
				ranks[i] = below;
			});
			return new Numbers(ranks);
		}

	}

	/** Fails at the lowest index that any worker fails at. */
	static final class Checked implements RingKernelHandler<Numbers, Found> {

		@Override
		public Found handle(Numbers request) {
			int length = request.values().length;
			int[] rest = new int[1024];
			Parallel.gridRange(length, (i) -> {
				if (i > 900) {
					throw new IllegalStateException("It is too late");
				}
				rest[i] = i / (request.values()[i] % 100 - 7);
			});
			Parallel.gridRange(length, (i) -> {
				if (request.values()[i] % 501 == 0) {
					throw new IllegalArgumentException("No multiple of 501");
				}
				rest[i] += request.values()[i];
			});
			return new Found(Parallel.sumInt(length, (i) -> rest[i]), length);
		}

	}

	/** Adds to what it keeps, under a lock, and in the body of a loop. */
	static final class Kept implements RingKernelHandler<Query, Found> {

		private final int[] lock = new int[1];

		private final double[] kept = new double[1000];

		private long requests;

		@Override
		public Found handle(Query request) {
			float[] vector = request.vector();
			long requests = Parallel.exclusive(this.lock, () -> {
				long count = ++this.requests;
				Parallel.gridRange(request.rows(), (i) -> this.kept[i] += vector[i % vector.length] * count);
				return count;
			});
			int[] products = new int[256];
			Parallel.range(16, (i) -> Parallel.gridRange(16, (j) -> products[16 * i + j] = i * j));
			return new Found(Parallel.sumInt(256, (i) -> products[i]) + (int) requests,
					Parallel.sumDouble(request.rows(), (i) -> this.kept[i]));
		}

	}

	/** Writes to an array of the request, and makes atomic steps on it. */
	static final class InRequest implements RingKernelHandler<Small, Small> {

		@Override
		public Small handle(Small request) {
			int[] values = request.values();
			Parallel.gridRange(values.length, (i) -> values[i] *= 2);
			Parallel.gridRange(values.length, (i) -> Parallel.atomicAdd(request.values(), i / 2, 1));
			return new Small(values);
		}

	}

}
