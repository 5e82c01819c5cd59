package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures a {@code call} of 64 bytes with default options: one turn of two builds that
 * are compared, each in JVMs of its own. It uses nothing that a build of 0.2 lacks, so
 * that the class of the newer build runs on the class path of the older. The arguments
 * are the file for the results and which build this is.
 */
final class TurnBenchmark {

	private TurnBenchmark() {
	}

	/**
	 * Runs one turn.
	 * @param arguments the file for the results, and the name of the build
	 */
	public static void main(String... arguments) throws IOException {
		CudaBackendProvider provider = BenchmarkDevice.require();
		MessageLayout<Payload> layout = MessageLayout.of(Payload.class);
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			Kernel<Payload, Payload> kernel = runtime.define(new KernelSpec<>("echo", layout, layout,
					(request) -> request, "classpath:kernels/echo.ptx#echo", KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			RingKernelClient<Payload, Payload> client = kernel.client();
			Payload request = Payload.of(1);
			if (!client.call(request).equals(request)) {
				throw new IllegalStateException("The echo of " + request + " differs from it");
			}
			results.add("call-64B", BenchmarkLoad.calls(() -> client.call(request)), "build", arguments[1]);
		}
		System.exit(0);
	}

}
