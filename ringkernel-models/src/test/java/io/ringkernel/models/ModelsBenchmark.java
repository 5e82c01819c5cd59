package io.ringkernel.models;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.models.forest.DecisionTree;
import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.Library;
import io.ringkernel.models.forest.Link;
import io.ringkernel.models.forest.Objective;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.ScoreResponse;
import io.ringkernel.models.kernel.TreeEnsembleHandler;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures one row and batches: on the device, through the kernel on the CPU, and by the
 * handler in the thread of the caller. Trees are full and random. Before anything is
 * measured, answers have the bits of the handler. Prints a table.
 * <p>
 * The system properties {@code ringkernel.bench.seconds} (2) and
 * {@code ringkernel.bench.backends} ({@code cuda,cpu}) say for how long and where.
 */
public final class ModelsBenchmark {

	private static final int FEATURES = 30;

	private static final long SECONDS = Long.getLong("ringkernel.bench.seconds", 2);

	private static final List<String> BACKENDS = List
		.of(System.getProperty("ringkernel.bench.backends", "cuda,cpu").split(","));

	private ModelsBenchmark() {
	}

	public static void main(String[] args) {
		System.out.println("| Trees x depth | Where | Rows a call | p50 us | p99 us | Rows a second |");
		System.out.println("|---|---|---|---|---|---|");
		for (int[] shape : new int[][] { { 100, 6 }, { 1000, 6 }, { 1000, 8 } }) {
			Model model = Model.of("a benchmark", forest(shape[0], shape[1]));
			String name = shape[0] + " x " + shape[1];
			TreeEnsembleHandler handler = new TreeEnsembleHandler(model.image(), model.image().length());
			for (String backend : BACKENDS) {
				for (int threads : backend.equals("cuda") ? new int[] { 128, 256, 512 } : new int[] { 256 }) {
					measure(name, model, handler, BackendKind.valueOf(backend.toUpperCase(Locale.ROOT)), threads);
				}
			}
			for (int rows : new int[] { 1, 256 }) {
				float[] features = rows(rows);
				ScoreRequest request = ScoreRequest.score(0, model.image().stamp(), features);
				report(name, "handler alone", rows, () -> handler.handle(request).margins());
			}
		}
	}

	private static void measure(String name, Model model, TreeEnsembleHandler oracle, BackendKind backend,
			int threads) {
		KernelOptions options = KernelOptions.builder()
			.workers(64)
			.threadsPerWorker(threads)
			.ringMemory(24 << 20)
			.waitStrategy(WaitStrategy.BACK_OFF)
			.build();
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(backend, null, null))) {
			Kernel<ScoreRequest, ScoreResponse> kernel = runtime.define(KernelSpec.of("model-bench", ScoreRequest.class,
					ScoreResponse.class, new TreeEnsembleHandler(model.image(), model.image().length()), options));
			kernel.launch();
			kernel.activate();
			TreeEnsemble ensemble = new TreeEnsemble("bench", kernel, model, model.image().length(), false);
			String where = (backend == BackendKind.CPU) ? "kernel on the CPU" : "device, %d threads".formatted(threads);
			for (int rows : new int[] { 1, 16, 256, 1024, 4096, 65_536 }) {
				float[] features = rows(rows);
				verify(ensemble, oracle, model, Arrays.copyOf(features, Math.min(rows, 1024) * FEATURES));
				report(name, where, rows, () -> ensemble.margins(features));
			}
		}
	}

	private static void verify(TreeEnsemble ensemble, TreeEnsembleHandler oracle, Model model, float[] features) {
		float[] expected = oracle.handle(ScoreRequest.score(0, model.image().stamp(), features)).margins();
		if (!Arrays.equals(ensemble.margins(features), expected)) {
			throw new IllegalStateException("The margins are not those of the handler");
		}
	}

	private static void report(String name, String where, int rows, Supplier<float[]> call) {
		run(call, SECONDS);
		List<Long> nanos = run(call, SECONDS);
		long total = nanos.stream().mapToLong(Long::longValue).sum();
		Collections.sort(nanos);
		System.out.printf("| %s | %s | %,d | %.1f | %.1f | %,.0f |%n", name, where, rows,
				nanos.get(nanos.size() / 2) / 1e3, nanos.get((int) (nanos.size() * 0.99)) / 1e3,
				(double) nanos.size() * rows / total * 1e9);
	}

	private static List<Long> run(Supplier<float[]> call, long seconds) {
		List<Long> nanos = new ArrayList<>();
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
		long before = System.nanoTime();
		while (before < end) {
			if (call.get().length == 0) {
				throw new IllegalStateException("There are no margins");
			}
			long after = System.nanoTime();
			nanos.add(after - before);
			before = after;
		}
		return nanos;
	}

	private static float[] rows(int rows) {
		SplittableRandom random = new SplittableRandom(3);
		float[] features = new float[rows * FEATURES];
		for (int i = 0; i < features.length; i++) {
			features[i] = (random.nextInt(20) == 0) ? Float.NaN : (float) random.nextDouble();
		}
		return features;
	}

	private static Forest forest(int trees, int depth) {
		SplittableRandom random = new SplittableRandom(5);
		List<DecisionTree> list = new ArrayList<>();
		for (int i = 0; i < trees; i++) {
			list.add(tree(depth, random));
		}
		return new Forest(Library.XGBOOST, "random", new Objective("reg:squarederror", Link.IDENTITY), FEATURES,
				new float[] { 0.5f }, list, new int[trees]);
	}

	private static DecisionTree tree(int depth, SplittableRandom random) {
		int size = (2 << depth) - 1;
		int[] first = new int[size];
		int[] second = new int[size];
		int[] features = new int[size];
		double[] values = new double[size];
		boolean[] missingToFirst = new boolean[size];
		for (int node = 0; node < size; node++) {
			boolean isLeaf = 2 * node + 1 >= size;
			first[node] = isLeaf ? -1 : 2 * node + 1;
			second[node] = isLeaf ? -1 : 2 * node + 2;
			features[node] = random.nextInt(FEATURES);
			values[node] = (float) (isLeaf ? random.nextDouble(-0.1, 0.1) : random.nextDouble());
			missingToFirst[node] = random.nextBoolean();
		}
		return new DecisionTree(first, second, features, values, missingToFirst, new boolean[size], Map.of());
	}

}
