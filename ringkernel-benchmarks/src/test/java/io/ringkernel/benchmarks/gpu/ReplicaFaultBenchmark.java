package io.ringkernel.benchmarks.gpu;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.FaultMessages;
import io.ringkernel.cuda.FaultMessages.Fault;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import org.HdrHistogram.Histogram;

/**
 * Breaks the replica on the first of two devices under load, and measures what calls of
 * the replica on the other one take before and afterwards. The process fails if one of
 * these calls fails, or if the router has nothing answered any more. The arguments are
 * the file for the results, and {@code process} or {@code none}: which process uses the
 * devices.
 */
final class ReplicaFaultBenchmark {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final long OBSERVE_NANOS = Duration.ofSeconds(3).toNanos();

	private static final int CALLERS = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);

	private ReplicaFaultBenchmark() {
	}

	/**
	 * Runs the measurement.
	 * @param arguments the file for the results, and {@code process} or {@code none}
	 */
	public static void main(String... arguments) throws Exception {
		BenchmarkDevice.require();
		String isolation = arguments[1];
		BackendProvider provider = switch (isolation) {
			case "process" -> CudaBackendProvider.isolated(HostOptions.DEFAULTS);
			case "none" -> new CudaBackendProvider();
			default -> throw new IllegalArgumentException("An isolation is process or none, not " + isolation);
		};
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]))) {
			measure(results, isolation, provider);
		}
		catch (InvalidConfigurationException ex) {
			if (!ex.setting().equals("device")) {
				throw ex;
			}
			System.out.println("SKIPPED: " + ex.getMessage());
		}
		// A driver that has lost a device may not return.
		Runtime.getRuntime().halt(0);
	}

	private static void measure(BenchmarkResults results, String isolation, BackendProvider provider)
			throws InterruptedException {
		RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
				List.of(provider));
		Kernel<Fault, Fault> kernel = runtime.define(FaultMessages.kernel(KernelOptions.builder()
			.workers(8)
			.requestTimeout(Duration.ofSeconds(5))
			.stopTimeout(Duration.ofSeconds(2))
			.build()), new Replication(2, List.of(0, 1)), null);
		kernel.launch();
		kernel.activate();
		RingKernelClient<Fault, Fault> sound = kernel.replicas().get(1).client();
		LongAdder answered = new LongAdder();
		LongAdder failed = new LongAdder();
		AtomicBoolean ended = new AtomicBoolean();
		Concurrently.Running load = Concurrently.start(CALLERS, (caller) -> {
			while (!ended.get()) {
				try {
					call(kernel.client());
					answered.increment();
				}
				catch (RingKernelException ex) {
					failed.increment();
				}
			}
		});
		Histogram before = BenchmarkLoad.calls(() -> call(sound), BenchmarkLoad.WARM_UP_NANOS, OBSERVE_NANOS, 0);
		results.add("fault-elsewhere", before, "build", "before");
		long answeredBefore = answered.sum();
		long launches = kernel.replicas().get(1).status().loopLaunches();
		kernel.replicas().get(0).client().submit(new Fault(0, FaultMessages.TRAP));
		Histogram after = BenchmarkLoad.calls(() -> call(sound), 0, OBSERVE_NANOS, 0);
		results.add("fault-elsewhere", after, "build", "after");
		long rerouted = answered.sum() - answeredBefore;
		ended.set(true);
		load.join(LIMIT);
		results.add("fault-" + isolation, "of-the-router-answered", rerouted, "failed", failed.sum(), "longest-us",
				after.getMaxValue() / 1000, "launches-elsewhere",
				kernel.replicas().get(1).status().loopLaunches() - launches, "faulted",
				kernel.replicas().get(0).state());
		if (rerouted == 0 || kernel.replicas().get(1).state() != KernelState.ACTIVE) {
			throw new IllegalStateException("The fault has reached the other device: " + kernel.status());
		}
	}

	private static void call(RingKernelClient<Fault, Fault> client) {
		Fault request = new Fault(1, FaultMessages.NOT_AT_ALL);
		if (!client.call(request).equals(request)) {
			throw new IllegalStateException("The answer to " + request + " differs from it");
		}
	}

}
