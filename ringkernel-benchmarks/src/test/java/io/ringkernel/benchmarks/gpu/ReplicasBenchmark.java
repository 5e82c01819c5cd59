package io.ringkernel.benchmarks.gpu;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures calls of 64 bytes by many callers: a kernel with a replica on each of two
 * devices beside one of its replicas alone, by turns. With few workers, the kernel is the
 * bottleneck, and both have the same callers. With many workers, the callers are the
 * bottleneck, and each replica has as many of them. Besides, it measures a call of a
 * kernel that is defined with one replica beside one that is defined without. The
 * argument is the file for the results.
 */
final class ReplicasBenchmark {

	private static final int ROUNDS = Integer.getInteger("ringkernel.bench.rounds", 3);

	private static final Duration OBSERVE = Duration.ofMillis(1_500);

	private static final Duration TURN = Duration.ofMillis(400);

	/** Cores are left to the dispatchers and to the system. */
	private static final int CALLERS = Math.max(2, Runtime.getRuntime().availableProcessors() * 3 / 4);

	private static final int MANY_WORKERS = 32;

	/** Together with those of the other replica, they have cores of their own. */
	private static final int FEW_CALLERS = Math.max(1, Runtime.getRuntime().availableProcessors() / 8);

	private final BenchmarkResults results;

	private final RingKernelRuntime runtime;

	private ReplicasBenchmark(BenchmarkResults results, RingKernelRuntime runtime) {
		this.results = results;
		this.runtime = runtime;
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws Exception {
		CudaBackendProvider provider = BenchmarkDevice.require();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
						List.of(provider))) {
			ReplicasBenchmark benchmark = new ReplicasBenchmark(results, runtime);
			benchmark.measureOneReplica();
			for (int workers : new int[] { 2, 8 }) {
				benchmark.measureTwoDevices("replicas-64B-" + workers, workers, CALLERS, CALLERS);
			}
			benchmark.measureTwoDevices("replicas-64B-each", MANY_WORKERS, FEW_CALLERS, 2 * FEW_CALLERS);
		}
		catch (InvalidConfigurationException ex) {
			if (!ex.setting().equals("device")) {
				throw ex;
			}
			System.out.println("SKIPPED: " + ex.getMessage());
		}
		System.exit(0);
	}

	private void measureTwoDevices(String measure, int workers, int callersOfOne, int callersOfTwo)
			throws InterruptedException {
		Kernel<Payload, Payload> kernel = started("echo-" + workers, workers, new Replication(2, List.of(0, 1)));
		for (int round = 0; round < ROUNDS; round++) {
			measureRate(measure, "one", workers, callersOfOne, kernel.replicas().get(0).client());
			measureRate(measure, "two", workers, callersOfTwo, kernel.client());
		}
		kernel.terminate();
	}

	private void measureRate(String measure, String replicas, int workers, int callers,
			RingKernelClient<Payload, Payload> client) throws InterruptedException {
		double rate = CallRate.of(callers, OBSERVE, () -> call(client));
		this.results.add(measure, "build", replicas, "workers", workers, "callers", callers, "unit", "k/s", "rate",
				rate / 1e3);
	}

	private void measureOneReplica() {
		Kernel<Payload, Payload> plain = started("plain", MANY_WORKERS, Replication.NONE);
		Kernel<Payload, Payload> single = started("single", MANY_WORKERS, new Replication(1, List.of(0)));
		for (int round = 0; round < 3 * ROUNDS; round++) {
			measureCall("plain", plain.client());
			measureCall("single", single.client());
		}
		plain.terminate();
		single.terminate();
	}

	private void measureCall(String definition, RingKernelClient<Payload, Payload> client) {
		this.results.add("replica-call-64B",
				BenchmarkLoad.calls(() -> call(client), TURN.toNanos() / 4, TURN.toNanos(), 0), "build", definition);
	}

	private static void call(RingKernelClient<Payload, Payload> client) {
		Payload request = Payload.of(1);
		if (!client.call(request).equals(request)) {
			throw new IllegalStateException("The echo of " + request + " differs from it");
		}
	}

	private Kernel<Payload, Payload> started(String id, int workers, Replication replication) {
		MessageLayout<Payload> layout = MessageLayout.of(Payload.class);
		Kernel<Payload, Payload> kernel = this.runtime.define(
				new KernelSpec<>(id, layout, layout, (request) -> request, "classpath:kernels/echo.ptx#echo",
						KernelOptions.builder().workers(workers).requestTimeout(Duration.ofSeconds(30)).build()),
				replication, null);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

}
