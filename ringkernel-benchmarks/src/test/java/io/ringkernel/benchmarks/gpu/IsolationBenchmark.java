package io.ringkernel.benchmarks.gpu;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures what a process of its own for the device costs: the time from the start of the
 * JVM until a kernel is active, a {@code call} of 64 bytes, and a stream of them. One
 * turn of {@code process} or of {@code none}, with default options, in a JVM of its own.
 * The arguments are the file for the results and the isolation.
 */
final class IsolationBenchmark {

	private IsolationBenchmark() {
	}

	/**
	 * Runs one turn.
	 * @param arguments the file for the results, and {@code process} or {@code none}
	 */
	public static void main(String... arguments) throws Exception {
		String isolation = arguments[1];
		BackendProvider provider = switch (isolation) {
			case "process" -> CudaBackendProvider.isolated(HostOptions.DEFAULTS);
			case "none" -> new CudaBackendProvider();
			default -> throw new IllegalArgumentException("An isolation is process or none, not " + isolation);
		};
		MessageLayout<Payload> layout = MessageLayout.of(Payload.class);
		PlanRequest cuda = new PlanRequest(BackendKind.CUDA, null, null);
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(cuda, List.of(provider))) {
			Kernel<Payload, Payload> kernel = runtime.define(new KernelSpec<>("echo", layout, layout,
					(request) -> request, "classpath:kernels/echo.ptx#echo", KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			RingKernelClient<Payload, Payload> client = kernel.client();
			Payload request = Payload.of(1);
			if (!client.call(request).equals(request)) {
				throw new IllegalStateException("The echo of " + request + " differs from it");
			}
			double started = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
			results.add("start", "build", isolation, "unit", "ms", "first-answer", started);
			results.add("call-64B", BenchmarkLoad.calls(() -> client.call(request)), "build", isolation);
			results.add("stream-64B", "build", isolation, "unit", "M/s", "rate",
					BenchmarkLoad.streamed(client, (i) -> request) / 1e6);
		}
		System.exit(0);
	}

}
