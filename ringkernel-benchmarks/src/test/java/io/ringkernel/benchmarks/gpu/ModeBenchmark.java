package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.HdrHistogram.Histogram;

/**
 * Measures every mode and transport with the same 64 bytes: one call at a time, batches
 * of 256, and a stream that keeps the ring full. A kernel that is launched on demand is
 * measured once more where it ends as soon as it finds nothing, and each call, a while
 * after the one before, finds it out and has it launched.
 */
final class ModeBenchmark {

	private static final int MESSAGES = 256;

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	/** Longer than a kernel that has answered takes to end, and to be seen to have. */
	private static final long PAUSE_NANOS = 20_000;

	private final BenchmarkResults results;

	private ModeBenchmark(BenchmarkResults results) {
		this.results = results;
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results, and the plans to measure, such as
	 * {@code event-driven/bridged}; all by default
	 */
	public static void main(String... arguments) throws IOException {
		List<String> chosen = List.of(arguments).subList(1, arguments.length);
		int failures = 0;
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]))) {
			ModeBenchmark benchmark = new ModeBenchmark(results);
			for (Transport transport : new Transport[] { Transport.MAPPED, Transport.BRIDGED }) {
				for (ExecutionMode mode : ExecutionMode.values()) {
					boolean exists = transport == Transport.MAPPED || mode == ExecutionMode.EVENT_DRIVEN;
					if (!exists || (!chosen.isEmpty() && !chosen.contains(name(mode, transport)))) {
						continue;
					}
					// One worker is what there is in the baseline of a launch per
					// message.
					for (int workers : new int[] { 1, 4, 32, 128 }) {
						try {
							benchmark.measure(mode, transport, workers);
						}
						catch (Exception ex) {
							ex.printStackTrace();
							failures++;
						}
					}
				}
			}
		}
		System.exit((failures == 0) ? 0 : 1);
	}

	private void measure(ExecutionMode mode, Transport transport, int workers) throws Exception {
		if (workers > 1) {
			use(mode, transport, options(workers), (plan, client) -> measure(plan, workers, client));
		}
		if (transport == Transport.BRIDGED && workers == 32) {
			use(mode, transport,
					options(workers).toBuilder().waitStrategy(KernelOptions.DEFAULTS.waitStrategy()).build(),
					(plan, client) -> measureDefaultWait(plan, workers, client));
		}
		if (mode == ExecutionMode.EVENT_DRIVEN && workers <= 32) {
			use(mode, transport, options(workers).toBuilder().idleBudget(Duration.ZERO).build(),
					(plan, client) -> measureLaunches(plan, workers, client));
		}
	}

	private void measureDefaultWait(String plan, int workers, RingKernelClient<Payload, Payload> client) {
		Payload payload = Payload.of(1);
		this.results.add("call-64B-default-waiting", BenchmarkLoad.calls(() -> client.call(payload)), "plan", plan,
				"workers", workers);
	}

	private void measureLaunches(String plan, int workers, RingKernelClient<Payload, Payload> client) {
		Payload payload = Payload.of(1);
		this.results.add("call-64B-with-launch", BenchmarkLoad.calls(() -> client.call(payload), PAUSE_NANOS), "plan",
				plan, "workers", workers);
	}

	private static KernelOptions options(int workers) {
		return KernelOptions.builder()
			.workers(workers)
			.requestTimeout(TIMEOUT)
			.waitStrategy(WaitStrategy.BUSY_SPIN)
			.build();
	}

	private static void use(ExecutionMode mode, Transport transport, KernelOptions options, Use use) throws Exception {
		KernelSpec<Payload, Payload> echo = new KernelSpec<>("echo", MessageLayout.of(Payload.class),
				MessageLayout.of(Payload.class), (request) -> request, "classpath:kernels/echo.ptx", options);
		PlanRequest request = new PlanRequest(BackendKind.CUDA, mode, transport);
		try (RingKernelRuntime runtime = RingKernelRuntime.open(request, List.of(new CudaBackendProvider()))) {
			Kernel<Payload, Payload> kernel = runtime.define(echo);
			kernel.launch();
			kernel.activate();
			kernel.status()
				.plan()
				.reasons()
				.stream()
				.filter((why) -> why.startsWith("launched by"))
				.forEach(System.out::println);
			use.accept(name(mode, transport), kernel.client());
		}
	}

	private static String name(ExecutionMode mode, Transport transport) {
		return ConfiguredName.of(mode) + "/" + ConfiguredName.of(transport);
	}

	private void measure(String plan, int workers, RingKernelClient<Payload, Payload> client) throws Exception {
		Payload payload = Payload.of(1);
		this.results.add("call-64B", BenchmarkLoad.calls(() -> client.call(payload)), "plan", plan, "workers", workers);
		List<Payload> batch = Collections.nCopies(MESSAGES, payload);
		Histogram nanos = BenchmarkLoad.calls(() -> client.callAll(batch));
		this.results.add("batch-256x64B", nanos, "plan", plan, "workers", workers, "M/s",
				MESSAGES * 1e3 / nanos.getValueAtPercentile(50));
		this.results.add("stream-64B", "plan", plan, "workers", workers, "unit", "M/s", "rate",
				BenchmarkLoad.streamed(client, (i) -> payload) / 1e6);
	}

	/**
	 * What is done with a kernel.
	 */
	private interface Use {

		void accept(String plan, RingKernelClient<Payload, Payload> client) throws Exception;

	}

}
