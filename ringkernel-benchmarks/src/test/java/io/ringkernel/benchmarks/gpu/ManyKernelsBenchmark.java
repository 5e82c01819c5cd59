package io.ringkernel.benchmarks.gpu;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.jspecify.annotations.Nullable;

/**
 * Measures what kernels cost each other: one kernel alone, then 4, 8, 16, 48 and 256 of
 * them on one device. The handler is written in Java, a request has 64 bytes, and all
 * options are the defaults. For each number it measures a {@code call} of the first
 * kernel while the others are idle and while eight threads call them, calls of all
 * kernels in turn by one thread, and the rate of eight threads that do so. Besides, it
 * measures the rates of four to 16 threads and of a stream on the first kernel alone. The
 * arguments are the file for the results, the name of the build, and the mode,
 * {@code persistent}, {@code event-driven}, or {@code auto} for what is chosen without
 * one.
 */
final class ManyKernelsBenchmark {

	private static final List<Integer> NUMBERS = Stream
		.of(System.getProperty("ringkernel.bench.kernels", "1,4,8,16,48,256").split(","))
		.map(Integer::valueOf)
		.toList();

	private static final int CALLERS = 8;

	private static final long WARM_UP = Duration.ofSeconds(1).toNanos();

	private static final Duration OBSERVE = Duration.ofSeconds(Integer.getInteger("ringkernel.bench.seconds", 2));

	private ManyKernelsBenchmark() {
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results, the name of the build, and the mode
	 */
	public static void main(String... arguments) throws Exception {
		String build = arguments[1];
		@Nullable ExecutionMode planned = switch (arguments[2]) {
			case "persistent" -> ExecutionMode.PERSISTENT;
			case "event-driven" -> ExecutionMode.EVENT_DRIVEN;
			case "auto" -> null;
			default ->
				throw new IllegalArgumentException("A mode is persistent, event-driven or auto, not " + arguments[2]);
		};
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, planned, null),
						List.of(CudaBackendProvider.isolated(HostOptions.DEFAULTS)))) {
			List<RingKernelClient<Payload, Payload>> clients = new ArrayList<>();
			String mode = arguments[2];
			for (int number : NUMBERS) {
				while (clients.size() < number) {
					clients.add(started(runtime, "echo-" + clients.size()));
				}
				results.add("call-one-of-" + number,
						BenchmarkLoad.calls(() -> call(clients.get(0)), WARM_UP, OBSERVE.toNanos(), 0), "build", build,
						"mode", mode);
				results.add("call-last-of-" + number,
						BenchmarkLoad.calls(() -> call(clients.get(number - 1)), WARM_UP, OBSERVE.toNanos(), 0),
						"build", build, "mode", mode);
				int[] next = { 0 };
				results.add(
						"call-all-of-" + number, BenchmarkLoad
							.calls(() -> call(clients.get(next[0]++ % clients.size())), WARM_UP, OBSERVE.toNanos(), 0),
						"build", build, "mode", mode);
				addRate(results, "rate-all-of-" + number, build, mode, CALLERS, clients);
				if (number == 1) {
					addRate(results, "rate-one", build, mode, CALLERS / 2, clients);
					addRate(results, "rate-one", build, mode, 2 * CALLERS, clients);
					results.add("stream-one", "build", build, "mode", mode, "unit", "M/s", "rate",
							BenchmarkLoad.streamed(clients.get(0), Payload::of) / 1e6);
				}
				else {
					addRate(results, "rate-one-of-" + number, build, mode, CALLERS, clients.subList(0, 1));
					addCallBesideBusyOnes(results, number, build, mode, clients);
				}
			}
		}
		System.exit(0);
	}

	/** What a kernel answers while eight threads keep all others busy. */
	private static void addCallBesideBusyOnes(BenchmarkResults results, int number, String build, String mode,
			List<RingKernelClient<Payload, Payload>> clients) throws InterruptedException {
		List<RingKernelClient<Payload, Payload>> others = clients.subList(1, clients.size());
		long end = System.nanoTime() + 2 * WARM_UP + OBSERVE.toNanos();
		Concurrently.Running busy = Concurrently.start(CALLERS, (caller) -> {
			for (int next = caller; System.nanoTime() < end; next++) {
				call(others.get(next % others.size()));
			}
		});
		results.add("call-beside-busy-" + number,
				BenchmarkLoad.calls(() -> call(clients.get(0)), WARM_UP, OBSERVE.toNanos(), 0), "build", build, "mode",
				mode);
		busy.join(Duration.ofMinutes(1));
	}

	private static void addRate(BenchmarkResults results, String measure, String build, String mode, int callers,
			List<RingKernelClient<Payload, Payload>> clients) throws InterruptedException {
		ThreadLocal<int[]> next = ThreadLocal
			.withInitial(() -> new int[] { ThreadLocalRandom.current().nextInt(clients.size()) });
		double rate = CallRate.of(callers, OBSERVE, () -> call(clients.get(next.get()[0]++ % clients.size())));
		results.add(measure, "build", build, "mode", mode, "callers", callers, "unit", "M/s", "rate", rate / 1e6);
	}

	private static void call(RingKernelClient<Payload, Payload> client) {
		Payload request = Payload.of(1);
		if (!client.call(request).equals(request)) {
			throw new IllegalStateException("The echo of " + request + " differs from it");
		}
	}

	private static RingKernelClient<Payload, Payload> started(RingKernelRuntime runtime, String id) {
		MessageLayout<Payload> layout = MessageLayout.of(Payload.class);
		Kernel<Payload, Payload> kernel = runtime.define(new KernelSpec<>(id, layout, layout, new JavaHandlers.Echo(),
				null, KernelOptions.builder().requestTimeout(Duration.ofSeconds(30)).build()));
		kernel.launch();
		kernel.activate();
		System.out.println(id + ": " + kernel.status().plan());
		return kernel.client();
	}

}
