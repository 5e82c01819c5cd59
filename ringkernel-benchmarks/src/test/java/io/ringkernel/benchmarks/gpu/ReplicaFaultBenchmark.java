package io.ringkernel.benchmarks.gpu;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.FaultMessages;
import io.ringkernel.cuda.FaultMessages.Fault;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import org.HdrHistogram.Histogram;

/**
 * Breaks the replica on the first of two devices under load, and measures what calls of
 * the replica on the other one take before and afterwards. Each replica has callers of
 * its own, so the load of the second is the same throughout. One more caller has its
 * requests routed. The process fails if a call of the second replica fails, or if the
 * router has nothing answered any more. Each device is used by a kernel host. The
 * argument is the file for the results.
 */
final class ReplicaFaultBenchmark {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final Duration OBSERVE = Duration.ofSeconds(3);

	/** Of each replica. */
	private static final int CALLERS = Math.max(1, Runtime.getRuntime().availableProcessors() / 8);

	/** Between two attempts of a caller whose replica takes no requests. */
	private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final Kernel<Fault, Fault> kernel;

	/** Of each caller of the second replica. */
	private final List<Map<Phase, Histogram>> nanos = Stream.generate(ReplicaFaultBenchmark::histograms)
		.limit(CALLERS)
		.toList();

	/** Of the caller whose requests are routed. */
	private final LongAdder answered = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private volatile Phase phase = Phase.WARM_UP;

	private ReplicaFaultBenchmark(Kernel<Fault, Fault> kernel) {
		this.kernel = kernel;
	}

	/**
	 * Runs the measurement.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws Exception {
		BenchmarkDevice.require();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]))) {
			new ReplicaFaultBenchmark(started()).measure(results);
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

	private static Kernel<Fault, Fault> started() {
		RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
				List.of(CudaBackendProvider.isolated(HostOptions.DEFAULTS)));
		Kernel<Fault, Fault> kernel = runtime.define(FaultMessages.kernel(KernelOptions.builder()
			.workers(8)
			.requestTimeout(Duration.ofSeconds(5))
			.stopTimeout(Duration.ofSeconds(2))
			.build()), new Replication(2, List.of(0, 1)), null);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private void measure(BenchmarkResults results) throws InterruptedException {
		Kernel<Fault, Fault> faulting = this.kernel.replicas().get(0);
		Kernel<Fault, Fault> sound = this.kernel.replicas().get(1);
		long launches = sound.status().loopLaunches();
		Concurrently.Running load = Concurrently.start(2 * CALLERS + 1, (caller) -> {
			if (caller < CALLERS) {
				callTimed(sound.client(), this.nanos.get(caller));
			}
			else if (caller < 2 * CALLERS) {
				callWhatever(faulting.client(), new LongAdder(), new LongAdder());
			}
			else {
				callWhatever(this.kernel.client(), this.answered, this.failed);
			}
		});
		observe(Phase.WARM_UP);
		observe(Phase.BEFORE);
		long answeredBefore = this.answered.sum();
		faulting.client().submit(new Fault(0, FaultMessages.TRAP));
		observe(Phase.AFTER);
		this.phase = Phase.END;
		load.join(LIMIT);
		long rerouted = this.answered.sum() - answeredBefore;
		results.add("fault-elsewhere", nanos(Phase.BEFORE), "build", "before");
		results.add("fault-elsewhere", nanos(Phase.AFTER), "build", "after");
		results.add("fault-routed", "of-the-router-answered", rerouted, "failed", this.failed.sum(),
				"longest-before-us", nanos(Phase.BEFORE).getMaxValue() / 1000, "longest-after-us",
				nanos(Phase.AFTER).getMaxValue() / 1000, "launches-elsewhere", sound.status().loopLaunches() - launches,
				"faulted", faulting.state());
		if (rerouted == 0 || sound.state() != KernelState.ACTIVE) {
			throw new IllegalStateException("The fault has reached the other device: " + this.kernel.status());
		}
	}

	private void observe(Phase observed) throws InterruptedException {
		this.phase = observed;
		TimeUnit.NANOSECONDS.sleep(OBSERVE.toNanos());
	}

	/**
	 * A call belongs to the phase in which it ends.
	 */
	private void callTimed(RingKernelClient<Fault, Fault> client, Map<Phase, Histogram> timed) {
		while (this.phase != Phase.END) {
			long begin = System.nanoTime();
			call(client);
			Histogram current = timed.get(this.phase);
			current.recordValue(Math.min(System.nanoTime() - begin, current.getHighestTrackableValue()));
		}
	}

	private void callWhatever(RingKernelClient<Fault, Fault> client, LongAdder answers, LongAdder failures) {
		while (this.phase != Phase.END) {
			try {
				call(client);
				answers.increment();
			}
			catch (RingKernelException ex) {
				failures.increment();
				LockSupport.parkNanos(RETRY_NANOS);
			}
		}
	}

	private Histogram nanos(Phase observed) {
		Histogram all = histogram();
		this.nanos.forEach((timed) -> all.add(timed.get(observed)));
		return all;
	}

	private static Map<Phase, Histogram> histograms() {
		Map<Phase, Histogram> histograms = new EnumMap<>(Phase.class);
		for (Phase observed : Phase.values()) {
			histograms.put(observed, histogram());
		}
		return histograms;
	}

	private static Histogram histogram() {
		return new Histogram(Duration.ofSeconds(10).toNanos(), 3);
	}

	private static void call(RingKernelClient<Fault, Fault> client) {
		Fault request = new Fault(1, FaultMessages.NOT_AT_ALL);
		if (!client.call(request).equals(request)) {
			throw new IllegalStateException("The answer to " + request + " differs from it");
		}
	}

	private enum Phase {

		WARM_UP, BEFORE, AFTER, END

	}

}
