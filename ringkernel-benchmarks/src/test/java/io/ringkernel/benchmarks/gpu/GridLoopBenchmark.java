package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.HdrHistogram.Histogram;

/**
 * What a search through vectors takes that is written in Java, as a loop of one worker
 * and as a loop that all workers of the kernel share.
 */
final class GridLoopBenchmark {

	private static final int DIMENSIONS = 384;

	/** Each of them is searched by one thread. */
	private static final int SEGMENTS = 1024;

	private static final int WORKERS = 128;

	private static final int THREADS = 512;

	private static final long WARM_UP_NANOS = Duration.ofMillis(500).toNanos();

	private static final long NANOS = Duration.ofSeconds(2).toNanos();

	private GridLoopBenchmark() {
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws IOException {
		BenchmarkDevice.require();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null))) {
			for (int rows : new int[] { 1_000, 10_000, 100_000 }) {
				float[] elements = floats(rows * DIMENSIONS, rows);
				Query query = new Query(floats(DIMENSIONS, 1));
				Nearest expected = new OneWorker(elements).handle(query);
				Histogram one = nanos(runtime, new OneWorker(elements), 1, query, expected);
				Histogram all = nanos(runtime, new AllWorkers(elements), WORKERS, query, expected);
				double ratio = one.getValueAtPercentile(50) / (double) all.getValueAtPercentile(50);
				System.out.printf(Locale.ROOT,
						"nearest of %,7d vectors of %d floats: one worker p50 %8.1f us; %d workers p50 %7.1f, p99 %7.1f us; %.1f x; %.0f GB/s%n",
						rows, DIMENSIONS, one.getValueAtPercentile(50) / 1e3, WORKERS,
						all.getValueAtPercentile(50) / 1e3, all.getValueAtPercentile(99) / 1e3, ratio,
						elements.length * (double) Float.BYTES / all.getValueAtPercentile(50));
				results.add("grid-loop", "rows", rows, "one-nanos", one.getValueAtPercentile(50), "all-nanos",
						all.getValueAtPercentile(50), "all-p99-nanos", all.getValueAtPercentile(99));
			}
		}
		System.exit(0);
	}

	private static Histogram nanos(RingKernelRuntime runtime, RingKernelHandler<Query, Nearest> handler, int workers,
			Query query, Nearest expected) {
		Kernel<Query, Nearest> kernel = runtime.define(KernelSpec.of(
				"search-%d-%d".formatted(workers, System.identityHashCode(handler)), Query.class, Nearest.class,
				handler, KernelOptions.builder().workers(workers).threadsPerWorker(THREADS).build()));
		kernel.launch();
		kernel.activate();
		if (!kernel.client().call(query).equals(expected)) {
			throw new IllegalStateException("%s in place of %s".formatted(kernel.client().call(query), expected));
		}
		Histogram nanos = BenchmarkLoad.calls(() -> kernel.client().call(query), WARM_UP_NANOS, NANOS, 0);
		kernel.terminate();
		return nanos;
	}

	private static float[] floats(int count, long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		float[] floats = new float[count];
		for (int i = 0; i < count; i++) {
			floats[i] = (float) random.nextDouble() - 0.5f;
		}
		return floats;
	}

	record Query(@Capacity(DIMENSIONS) float[] vector) {
	}

	record Nearest(int row, float score) {
	}

	/** The vectors lie element by element, so that neighbours are read by neighbours. */
	private abstract static class Search implements RingKernelHandler<Query, Nearest> {

		private final float[] elements;

		private final float[] scores;

		private final long[] best = new long[SEGMENTS];

		Search(float[] elements) {
			this.elements = elements;
			this.scores = new float[elements.length / DIMENSIONS];
		}

		@Override
		public Nearest handle(Query request) {
			int rows = this.scores.length;
			loop(rows, (row) -> {
				float sum = 0;
				for (int i = 0; i < DIMENSIONS; i++) {
					sum += request.vector()[i] * this.elements[i * rows + row];
				}
				this.scores[row] = sum;
			});
			loop(SEGMENTS, (segment) -> {
				long best = Long.MIN_VALUE;
				for (int row = segment; row < rows; row += SEGMENTS) {
					best = Math.max(best, key(this.scores[row], row));
				}
				this.best[segment] = best;
			});
			int row = ~(int) Parallel.maxLong(SEGMENTS, (segment) -> this.best[segment]);
			return new Nearest(row, this.scores[row]);
		}

		abstract void loop(int count, IntConsumer body);

		/** A greater score, or the same and a lower row. */
		private static long key(float score, int row) {
			int bits = Float.floatToIntBits(score);
			int ordered = (bits >= 0) ? bits : bits ^ Integer.MAX_VALUE;
			return ((long) ordered << 32) | (~row & 0xffff_ffffL);
		}

	}

	private static final class OneWorker extends Search {

		OneWorker(float[] elements) {
			super(elements);
		}

		@Override
		void loop(int count, IntConsumer body) {
			Parallel.range(count, body);
		}

	}

	private static final class AllWorkers extends Search {

		AllWorkers(float[] elements) {
			super(elements);
		}

		@Override
		void loop(int count, IntConsumer body) {
			Parallel.gridRange(count, body);
		}

	}

}
