package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * What is kept from request to request.
 */
final class Stateful {

	private Stateful() {
	}

	static List<Sample<?, ?>> samples() {
		List<Samples> samples = Arrays.stream(Inputs.LENGTHS)
			.mapToObj((n) -> new Samples(n % 5, Inputs.ints(n, n), Inputs.floats(n, n)))
			.toList();
		return List.of(new Sample<>(new Histogram(), Samples.class, Counts.class, samples),
				new Sample<>(new MovingAverages(), Samples.class, Averages.class, samples),
				new Sample<>(new Fields(), Samples.class, Seen.class, samples),
				new Sample<>(new Atomics(), Samples.class, Counts.class, samples),
				new Sample<>(new Locked(), Samples.class, Counts.class, samples),
				new Sample<>(new Smallest(), Samples.class, Counts.class, samples),
				new Sample<>(new Closest(), Samples.class, Nearest.class, samples),
				new Sample<>(new TopK(), Query.class, Nearest.class, List.of(new Query(5, Inputs.floats(16, 20)),
						new Query(1, Inputs.floats(16, 21)), new Query(0, Inputs.floats(16, 22)))));
	}

	record Samples(int key, @Capacity(1024) int[] keys, @Capacity(1024) float[] values) {
	}

	record Counts(@Capacity(64) long[] counts) {
	}

	record Averages(@Capacity(1024) float[] averages) {
	}

	record Seen(int requests, long total, boolean wasLarge, Span span, Size size, byte last, double mean) {
	}

	record Query(int count, @Length(16) float[] vector) {
	}

	record Nearest(@Capacity(16) int[] indices, @Capacity(16) float[] scores) {
	}

	record Span(float least, float greatest) {
	}

	enum Size {

		SMALL, LARGE

	}

	/** Counts over all requests so far. */
	static final class Histogram implements RingKernelHandler<Samples, Counts> {

		private final long[] counts = new long[16];

		@Override
		public Counts handle(Samples request) {
			int[] keys = request.keys();
			Parallel.range(keys.length, (i) -> Parallel.atomicAdd(this.counts, keys[i] & 15, 1));
			long[] now = new long[this.counts.length];
			Parallel.range(now.length, (i) -> now[i] = this.counts[i]);
			return new Counts(now);
		}

	}

	/** An average for each key. Values of a key are taken in their order. */
	static final class MovingAverages implements RingKernelHandler<Samples, Averages> {

		private static final int KEYS = 32;

		private final float weight;

		private final float[] averages = new float[KEYS];

		private final boolean[] known = new boolean[KEYS];

		MovingAverages() {
			this.weight = 0.2f;
			this.averages[3] = 1.5f;
			this.known[3] = true;
		}

		@Override
		public Averages handle(Samples request) {
			float[] after = new float[request.keys().length];
			Parallel.range(KEYS, (key) -> {
				for (int i = 0; i < after.length; i++) {
					if ((request.keys()[i] & (KEYS - 1)) == key) {
						after[i] = next(key, request.values()[i]);
					}
				}
			});
			return new Averages(after);
		}

		private float next(int key, float value) {
			float before = this.known[key] ? this.averages[key] : value;
			this.known[key] = true;
			this.averages[key] = before + this.weight * (value - before);
			return this.averages[key];
		}

	}

	/** Fields that are no arrays. */
	static final class Fields implements RingKernelHandler<Samples, Seen> {

		private int requests = 100;

		private long total;

		private boolean isLarge;

		private byte last = -1;

		private double mean = Double.NaN;

		private Span span = new Span(Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);

		private Size size = Size.SMALL;

		@Override
		public Seen handle(Samples request) {
			boolean wasLarge = this.isLarge;
			this.requests++;
			for (int key : request.keys()) {
				this.total += key;
				this.last = (byte) (this.last + key);
			}
			this.isLarge = request.keys().length > 100;
			if (this.isLarge) {
				this.size = Size.LARGE;
			}
			float[] values = request.values();
			float least = Parallel.minFloat(values.length, (i) -> values[i]);
			float greatest = Parallel.maxFloat(values.length, (i) -> values[i]);
			this.span = new Span(Math.min(this.span.least(), least), Math.max(this.span.greatest, greatest));
			if (values.length > 0) {
				this.mean = Parallel.sumDouble(values.length, (i) -> values[i] / values.length);
			}
			return new Seen(this.requests, this.total, wasLarge, this.span, this.size, this.last, this.mean);
		}

	}

	/** Each operation, in parallel parts and outside. */
	static final class Atomics implements RingKernelHandler<Samples, Counts> {

		private final int[] greatest = { 5, 0, Integer.MIN_VALUE, -7 };

		private final long[] latest = { 1, Long.MIN_VALUE };

		private int[] owners = new int[8];

		@Override
		public Counts handle(Samples request) {
			int[] keys = request.keys();
			Parallel.range(keys.length, (i) -> {
				Parallel.atomicMax(this.greatest, i & 3, keys[i]);
				Parallel.atomicMax(this.latest, i & 1, (long) keys[i] << i);
				Parallel.atomicCompareAndSet(this.owners, keys[i] & 7, 0, 1);
			});
			long[] counts = new long[14];
			counts[0] = Parallel.atomicAdd(this.greatest, 0, -3);
			counts[1] = Parallel.atomicMax(this.latest, 0, request.key());
			counts[2] = Parallel.atomicCompareAndSet(this.owners, request.key(), 1, 0) ? 1 : 0;
			counts[3] = Parallel.atomicCompareAndSet(this.latest, 1, Long.MIN_VALUE, 2) ? 1 : 0;
			counts[4] = Parallel.atomicAdd(counts, 3, 40L);
			counts[5] = this.latest[0];
			Parallel.range(8, (i) -> counts[6 + i] = this.owners[i] + this.greatest[i & 3]);
			return new Counts(counts);
		}

	}

	/**
	 * Bodies with a lock. What fails, alone or in a parallel loop, leaves it free: else
	 * the next request would wait for ever.
	 */
	static final class Locked implements RingKernelHandler<Samples, Counts> {

		private final int[] lock = new int[1];

		private final long[] sums = new long[4];

		@Override
		public Counts handle(Samples request) {
			int[] keys = request.keys();
			Parallel.exclusive(this.lock, () -> {
				Parallel.range(keys.length, (i) -> Parallel.atomicAdd(this.sums, keys[i] & 3, 1));
				this.sums[request.key() & 3] += keys.length;
				return request;
			});
			long[] counts = new long[6];
			counts[4] = Parallel.shared(this.lock, () -> {
				if (request.key() == 2) {
					throw new IllegalStateException("no 2");
				}
				return Parallel.sumLong(4, (i) -> this.sums[i]);
			});
			Counts now = Parallel.exclusive(this.lock, () -> {
				if (request.key() == 1) {
					Parallel.range(keys.length, (i) -> keys[i] = (int) this.sums[(i < 5) ? 0 : 7]);
				}
				return Parallel.sumInt(keys.length, (i) -> (request.key() == 3) ? keys[keys[i]] : keys[i]) > 0
						? new Counts(counts) : new Counts(this.sums.length > 3 ? counts : new long[1]);
			});
			Parallel.range(4, (i) -> counts[i] = this.sums[i]);
			counts[5] = this.lock[0];
			return now;
		}

	}

	static final class Smallest implements RingKernelHandler<Samples, Counts> {

		@Override
		public Counts handle(Samples request) {
			int[] keys = request.keys();
			long[] least = new long[20];
			Parallel.smallest(keys.length, (i) -> keys[i] >> 4, least);
			long[] none = new long[2];
			Parallel.smallest(-5, (i) -> i, none);
			long[] edges = new long[5];
			Parallel.smallest(9, (i) -> (i % 3 == 0) ? Long.MIN_VALUE : (i % 3 == 1) ? Long.MAX_VALUE : i / 5, edges);
			long[] counts = new long[27];
			Parallel.range(counts.length,
					(i) -> counts[i] = (i < 20) ? least[i] : (i < 22) ? none[i - 20] : edges[i - 22]);
			return new Counts(counts);
		}

	}

	/** With numbers that are no order by themselves, and values that occur twice. */
	static final class Closest implements RingKernelHandler<Samples, Nearest> {

		@Override
		public Nearest handle(Samples request) {
			int[] indices = new int[16];
			float[] scores = new float[16];
			float[] values = request.values();
			Parallel.smallest(values.length, (i) -> score(values[i] * 0.01f, i), (i) -> (i & 1) - i, indices, scores);
			return new Nearest(indices, scores);
		}

		private static float score(float value, int index) {
			return switch (index % 12) {
				case 0 -> Float.NaN;
				case 1 -> -0f;
				case 2 -> 0;
				case 3 -> Float.NEGATIVE_INFINITY;
				case 4 -> 0.25f;
				default -> value;
			};
		}

	}

	/**
	 * The vectors with the greatest products; of equal ones, those with the lowest index.
	 */
	static final class TopK implements RingKernelHandler<Query, Nearest> {

		private static final int DIMENSIONS = 16;

		private final float[] vectors = Inputs.floats(500 * DIMENSIONS, 19);

		@Override
		public Nearest handle(Query query) {
			int[] indices = new int[query.count()];
			float[] scores = new float[query.count()];
			long[] keys = new long[this.vectors.length / DIMENSIONS];
			Parallel.range(keys.length, (i) -> keys[i] = key(product(query.vector(), i), i));
			for (int rank = 0; rank < indices.length; rank++) {
				long greatest = Parallel.maxLong(keys.length, (i) -> keys[i]);
				indices[rank] = ~(int) greatest;
				scores[rank] = product(query.vector(), indices[rank]);
				keys[indices[rank]] = Long.MIN_VALUE;
			}
			return new Nearest(indices, scores);
		}

		private float product(float[] query, int index) {
			float product = 0;
			for (int j = 0; j < DIMENSIONS; j++) {
				product += query[j] * this.vectors[index * DIMENSIONS + j];
			}
			return product;
		}

		/** Ordered as the scores are, and against the order of the indices. */
		private static long key(float score, int index) {
			int bits = Float.floatToIntBits(score);
			int ordered = bits ^ ((bits >> 31) & Integer.MAX_VALUE);
			return ((long) ordered << Integer.SIZE) | (~index & 0xffffffffL);
		}

	}

}
