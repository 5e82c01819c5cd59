package io.ringkernel.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelKey;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.routing.KeyExtractor;
import io.ringkernel.routing.Replica;
import io.ringkernel.routing.RoutedClient;
import io.ringkernel.routing.Routes;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the choice of a replica costs a call. The replicas are active kernels, whose state
 * and load the router reads. In place of their rings, a client returns the request at
 * once.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class RoutingBenchmark {

	@Benchmark
	public Keyed unrouted(RoutedState state) {
		return state.unrouted.call(state.request);
	}

	@Benchmark
	public Keyed leastLoaded(RoutedState state) {
		return state.leastLoaded.call(state.request);
	}

	@Benchmark
	public Keyed byKey(RoutedState state) {
		return state.byKey.call(state.request);
	}

	/** A request with a key. */
	public record Keyed(@RingKernelKey long key, long value) {
	}

	/** Two replicas that all threads share, and clients that send them nothing. */
	@State(Scope.Benchmark)
	@SuppressWarnings("NullAway.Init")
	public static class RoutedState {

		private static final Duration TIMEOUT = Duration.ofSeconds(5);

		final Keyed request = new Keyed(42, 1);

		final RingKernelClient<Keyed, Keyed> unrouted = new ReturningClient<>("unrouted");

		RingKernelRuntime runtime;

		RingKernelClient<Keyed, Keyed> leastLoaded;

		RingKernelClient<Keyed, Keyed> byKey;

		@Setup
		public void open() {
			this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider()));
			Kernel<Keyed, Keyed> kernel = this.runtime.define(KernelSpec.of("routed", Keyed.class, Keyed.class,
					(request) -> request, KernelOptions.builder().workers(1).build()), new Replication(2, List.of()),
					null);
			kernel.launch();
			kernel.activate();
			List<Returning> replicas = kernel.replicas().stream().map(Returning::new).toList();
			this.leastLoaded = new RoutedClient<>("routed", TIMEOUT, true, new Routes<>("routed", replicas, null));
			this.byKey = new RoutedClient<>("routed", TIMEOUT, true,
					new Routes<>("routed", replicas, KeyExtractor.ofComponent(Keyed.class)));
		}

		@TearDown
		public void close() {
			this.runtime.close();
		}

	}

	/** A replica with the state and the load of a kernel. */
	private static final class Returning implements Replica<Keyed, Keyed> {

		private final Replica<?, ?> kernel;

		private final RingKernelClient<Keyed, Keyed> client;

		Returning(Kernel<Keyed, Keyed> kernel) {
			this.kernel = (Replica<?, ?>) kernel;
			this.client = new ReturningClient<>(kernel.id());
		}

		@Override
		public RingKernelClient<Keyed, Keyed> client() {
			return this.client;
		}

		@Override
		public KernelState state() {
			return this.kernel.state();
		}

		@Override
		public int load() {
			return this.kernel.load();
		}

	}

}
