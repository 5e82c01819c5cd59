package io.ringkernel.models;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.models.ModelsResults.Shape;
import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.ScoreResponse;
import io.ringkernel.models.kernel.TreeEnsembleHandler;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures a call by the number of its rows: on the device, through the kernel on the
 * CPU, by XGBoost4J and by LightGBM4J. The first three score one model, which XGBoost has
 * trained, and LightGBM one that it has trained alike. Before a kernel is measured, its
 * margins have the bits of XGBoost's. The argument is the file of the results.
 * <p>
 * The system properties {@code ringkernel.bench.seconds} (1) and
 * {@code ringkernel.bench.backends} ({@code cuda,cpu}) say for how long and where.
 */
public final class ModelsBenchmark {

	private static final int FEATURES = 30;

	private static final List<Shape> SHAPES = List.of(new Shape(100, 6), new Shape(500, 8), new Shape(1000, 8));

	private static final int[] ROWS = { 1, 16, 256, 1024, 4096, 65_536 };

	/** One thread is not faster with more rows than these, and takes seconds. */
	private static final int MOST_ROWS_OF_ONE_THREAD = 4096;

	private static final int ROWS_TO_VERIFY = 50_000;

	private static final int LEAST_CALLS = 5;

	private static final long NANOS = (long) (Double.parseDouble(System.getProperty("ringkernel.bench.seconds", "1"))
			* TimeUnit.SECONDS.toNanos(1));

	private static final List<String> BACKENDS = List
		.of(System.getProperty("ringkernel.bench.backends", "cuda,cpu").split(","));

	private final ModelsResults results;

	private final Shape shape;

	private final TrainedModel xgboost;

	private final TrainedLightgbmModel lightgbm;

	private ModelsBenchmark(ModelsResults results, Shape shape) {
		this.results = results;
		this.shape = shape;
		this.xgboost = TrainedModel.train("reg:squarederror", FEATURES, shape.trees(), shape.depth(),
				Map.of("eta", 0.02));
		this.lightgbm = TrainedLightgbmModel.train("regression", FEATURES, 0, shape.trees(),
				Map.of("max_depth", shape.depth(), "num_leaves", 1 << shape.depth(), "learning_rate", 0.02));
	}

	public static void main(String[] args) throws IOException {
		Path file = Path.of((args.length > 0) ? args[0] : "models.jsonl");
		try (ModelsResults results = new ModelsResults(file, System.out)) {
			for (Shape shape : SHAPES) {
				new ModelsBenchmark(results, shape).run();
			}
			SHAPES.forEach(results::addCrossover);
		}
	}

	private void run() {
		Forest forest = this.xgboost.forest();
		this.results.addModel(this.shape, "xgboost", leaves(forest));
		this.results.addModel(this.shape, "lightgbm", leaves(this.lightgbm.forest()));
		Model model = Model.of("XGBoost", forest);
		this.xgboost.setThreads(0);
		for (String backend : BACKENDS) {
			measureKernel(model, BackendKind.valueOf(backend.toUpperCase(Locale.ROOT)));
		}
		for (int threads : new int[] { 0, 1 }) {
			this.xgboost.setThreads(threads);
			for (int rows : rowsOf(threads)) {
				float[] features = features(rows);
				measure("xgboost", threads, rows, () -> this.xgboost.marginsInPlace(features));
			}
			for (int rows : rowsOf(threads)) {
				try (LightgbmRows laidOut = this.lightgbm.rows(features(rows), threads)) {
					measure("lightgbm", threads, rows, laidOut::predict);
				}
			}
		}
	}

	private void measureKernel(Model model, BackendKind backend) {
		KernelOptions options = KernelOptions.builder()
			.workers(64)
			.threadsPerWorker(512)
			.ringMemory(24 << 20)
			.waitStrategy(WaitStrategy.BACK_OFF)
			.build();
		int capacity = model.image().length();
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(backend, null, null))) {
			Kernel<ScoreRequest, ScoreResponse> kernel = runtime.define(KernelSpec.of("model-bench", ScoreRequest.class,
					ScoreResponse.class, new TreeEnsembleHandler(model.image(), capacity), options));
			kernel.launch();
			kernel.activate();
			TreeEnsemble ensemble = new TreeEnsemble("bench", kernel, model, capacity, false);
			String by = (backend == BackendKind.CPU) ? "cpu" : "device";
			verify(ensemble, by);
			for (int rows : ROWS) {
				float[] features = features(rows);
				measure(by, 0, rows, () -> ensemble.margins(features));
			}
		}
	}

	/** The device has a million rows of the largest model to verify. */
	private void verify(TreeEnsemble ensemble, String by) {
		boolean isThorough = by.equals("device") && this.shape.equals(SHAPES.get(SHAPES.size() - 1));
		int batches = isThorough ? 1_000_000 / ROWS_TO_VERIFY : 1;
		int missing = 0;
		for (int seed = 0; seed < batches; seed++) {
			float[] features = this.xgboost.rows(ROWS_TO_VERIFY, seed);
			float[][] expected = this.xgboost.marginsInPlace(features);
			float[] margins = ensemble.margins(features);
			for (int row = 0; row < expected.length; row++) {
				if (Float.floatToRawIntBits(margins[row]) != Float.floatToRawIntBits(expected[row][0])) {
					throw new IllegalStateException("The margin of row %d of seed %d is %s, and %s by XGBoost"
						.formatted(row, seed, margins[row], expected[row][0]));
				}
			}
			for (float feature : features) {
				missing += Float.isNaN(feature) ? 1 : 0;
			}
		}
		this.results.addVerified(this.shape, by, batches * ROWS_TO_VERIFY, missing);
	}

	private void measure(String by, int threads, int rows, Runnable call) {
		run(call, NANOS / 2, 1);
		this.results.add(this.shape, by, threads, rows, run(call, NANOS, LEAST_CALLS));
	}

	/** What each call has taken, sorted. */
	private static long[] run(Runnable call, long nanos, int leastCalls) {
		LongStream.Builder taken = LongStream.builder();
		long begin = System.nanoTime();
		long before = begin;
		for (int calls = 0; before - begin < nanos || calls < leastCalls; calls++) {
			call.run();
			long after = System.nanoTime();
			taken.add(after - before);
			before = after;
		}
		return taken.build().sorted().toArray();
	}

	private static int[] rowsOf(int threads) {
		return Arrays.stream(ROWS).filter((rows) -> threads == 0 || rows <= MOST_ROWS_OF_ONE_THREAD).toArray();
	}

	private float[] features(int rows) {
		return this.xgboost.rows(rows, 3);
	}

	private static double leaves(Forest forest) {
		return forest.trees()
			.stream()
			.mapToLong((tree) -> Arrays.stream(tree.first()).filter((child) -> child < 0).count())
			.average()
			.orElseThrow();
	}

}
