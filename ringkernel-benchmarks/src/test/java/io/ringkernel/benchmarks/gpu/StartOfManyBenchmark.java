package io.ringkernel.benchmarks.gpu;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures how long an application of seven kernels takes until all of them answer: five
 * whose requests have 64 KiB, and two whose requests have 1 MiB and whose rings have 128
 * MB. It tells as well how many are persistent. The argument is the file for the results.
 */
final class StartOfManyBenchmark {

	private static final int MEDIUM = 5;

	private static final int LARGE = 2;

	private static final long LARGE_RING_BYTES = 128L << 20;

	private static final int FLOATS = 1 << 18;

	private static final int MEDIUM_FLOATS = 1 << 14;

	private StartOfManyBenchmark() {
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws Exception {
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]))) {
			for (int run = 1; run <= 3; run++) {
				measure(results, run);
			}
		}
		System.exit(0);
	}

	private static void measure(BenchmarkResults results, int run) {
		long begin = System.nanoTime();
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(CudaBackendProvider.isolated(HostOptions.DEFAULTS), new CpuBackendProvider()))) {
			List<Kernel<?, ?>> kernels = new ArrayList<>();
			for (int i = 0; i < MEDIUM; i++) {
				Kernel<Some, Total> kernel = start(runtime, "medium-" + i, Some.class, Total.class, new SumOfSome(),
						KernelOptions.DEFAULTS);
				kernel.client().call(new Some(new float[MEDIUM_FLOATS]));
				kernels.add(kernel);
			}
			for (int i = 0; i < LARGE; i++) {
				Kernel<Values, Total> kernel = start(runtime, "large-" + i, Values.class, Total.class, new Sum(),
						KernelOptions.builder().ringMemory(LARGE_RING_BYTES).build());
				kernel.client().call(new Values(new float[FLOATS]));
				kernels.add(kernel);
			}
			double seconds = (System.nanoTime() - begin) / 1e9;
			long persistent = kernels.stream()
				.filter((kernel) -> kernel.plan().backend() == BackendKind.CUDA)
				.filter((kernel) -> kernel.plan().mode() == ExecutionMode.PERSISTENT)
				.count();
			results.add("start-of-seven", "run", run, "unit", "s", "seconds", seconds, "persistent", persistent);
			begin = System.nanoTime();
		}
		results.add("close-of-seven", "run", run, "unit", "s", "seconds", (System.nanoTime() - begin) / 1e9);
	}

	private static <I extends Record, O extends Record> Kernel<I, O> start(RingKernelRuntime runtime, String id,
			Class<I> request, Class<O> response, RingKernelHandler<I, O> handler, KernelOptions options) {
		Kernel<I, O> kernel = runtime.define(
				new KernelSpec<>(id, MessageLayout.of(request), MessageLayout.of(response), handler, null, options));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	record Some(@Capacity(MEDIUM_FLOATS) float[] values) {
	}

	static final class SumOfSome implements RingKernelHandler<Some, Total> {

		@Override
		public Total handle(Some request) {
			float[] values = request.values();
			return new Total(Parallel.sumFloat(values.length, (i) -> values[i]));
		}

	}

	record Values(@Capacity(FLOATS) float[] values) {
	}

	record Total(float value) {
	}

	static final class Sum implements RingKernelHandler<Values, Total> {

		@Override
		public Total handle(Values request) {
			float[] values = request.values();
			return new Total(Parallel.sumFloat(values.length, (i) -> values[i]));
		}

	}

}
