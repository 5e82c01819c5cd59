package io.ringkernel.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.ringkernel.KernelState;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.ForwardingLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlayedProvider;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Replicas on the CPU share the state of their handler, which is saved as that of their
 * kernel.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedStateTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final int REPLICAS = 3;

	@TempDir
	private Path directory;

	@Test
	void aSnapshotIsOneMomentOfAllReplicas() throws InterruptedException {
		Path file = this.directory.resolve("file");
		AtomicBoolean done = new AtomicBoolean();
		try (RingKernelRuntime runtime = runtime()) {
			Pair handler = new Pair();
			Kernel<Number, Number> kernel = started(runtime, Snapshots.NONE, handler);
			Concurrently.Running callers = Concurrently.start(4, (caller) -> {
				while (!done.get()) {
					kernel.client().call(new Number(1));
				}
			});
			Pair saved = new Pair();
			for (int i = 0; i < 20; i++) {
				kernel.snapshot(file);
				restore(file, saved);
				assertThat(saved.first[0]).as("no request had begun").isEqualTo(saved.second[0]);
			}
			done.set(true);
			callers.join(LIMIT);
			kernel.restore(file);
			assertThat(handler.first).isEqualTo(saved.first);
		}
	}

	@Test
	void aKernelGoesOnWhereItWasTerminated() {
		assertThat(addTo(new Pair(), 5)).isEqualTo(5);
		assertThat(this.directory).isDirectoryContaining("glob:**sum.snapshot");
		assertThat(addTo(new Pair(), 7)).isEqualTo(12);
	}

	@Test
	void theStateIsSavedWhileRequestsAreHandled() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime,
					new Snapshots(this.directory, Duration.ofMillis(10), false), new Pair());
			Awaitility.await().atMost(LIMIT).until(() -> {
				kernel.client().call(new Number(1));
				return kernel.stateOrigin().orElseThrow().savedAt() != null;
			});
			assertThat(kernel.replicas()).allMatch((replica) -> replica.stateOrigin().isEmpty());
		}
		assertThat(addTo(new Pair(), 0)).isPositive();
	}

	@Test
	void aReplicaThatIsRelaunchedFindsTheStateOfTheOthers() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, saving(), new Pair());
			kernel.client().call(new Number(5));
			kernel.replicas().get(0).relaunch();
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(6);
		}
	}

	@Test
	void aKernelThatWasTerminatedIsRelaunchedWithItsState() {
		try (RingKernelRuntime runtime = runtime()) {
			Pair handler = new Pair();
			Kernel<Number, Number> kernel = started(runtime, saving(), handler);
			kernel.client().call(new Number(5));
			kernel.terminate();
			handler.first[0] = 1000;
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(6);
			assertThat(kernel.stateOrigin().orElseThrow().restoredFrom()).isNotNull();
		}
	}

	@Test
	void replicasThatWereTerminatedOneByOneLeaveTheirState() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, saving(), new Pair());
			kernel.client().call(new Number(5));
			kernel.replicas().forEach(Kernel::terminate);
			kernel.relaunch();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(6);
			kernel.replicas().forEach(Kernel::terminate);
		}
		assertThat(addTo(new Pair(), 7)).isEqualTo(13);
	}

	@Test
	void aReplicaThatIsLaunchedByItselfDoesNotLoseWhatItAnswers() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = started(runtime, saving(), new Pair());
			kernel.client().call(new Number(5));
			kernel.terminate();
			kernel.replicas().get(1).relaunch();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(6);
			kernel.launch();
			kernel.activate();
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(7);
		}
		assertThat(addTo(new Pair(), 7)).isEqualTo(14);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aReplicaThatCannotBeLaunchedKeepsTheOthersFromNoState(boolean again) {
		addTo(new Pair(), 5);
		Faulty backend = new Faulty();
		backend.refused = "sum.1";
		try (RingKernelRuntime runtime = backend.runtime()) {
			Kernel<Number, Number> kernel = define(runtime, saving(), new Pair());
			assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(kernel::launch);
			backend.refused = "";
			if (again) {
				kernel.relaunch();
			}
			else {
				kernel.launch();
				kernel.activate();
			}
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(6);
		}
		assertThat(addTo(new Pair(), 1)).isEqualTo(7);
	}

	@Test
	void theStateIsSavedWhileAReplicaHasFailed() {
		Faulty backend = new Faulty();
		try (RingKernelRuntime runtime = backend.runtime()) {
			Kernel<Number, Number> kernel = started(runtime,
					new Snapshots(this.directory, Duration.ofMillis(10), false), new Pair());
			backend.broken = "sum.0";
			Awaitility.await()
				.atMost(LIMIT)
				.until(() -> kernel.replicas().get(0).status().state() == KernelState.FAILED);
			assertThat(kernel.client().call(new Number(5)).value()).isEqualTo(5);
			Awaitility.await().atMost(LIMIT).until(() -> kernel.stateOrigin().orElseThrow().savedAt() != null);
			assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
			assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(6);
			backend.broken = "";
			kernel.replicas().get(0).relaunch();
		}
		assertThat(addTo(new Pair(), 0)).isGreaterThanOrEqualTo(5);
	}

	@Test
	void aDamagedFileIsRefusedAndKept() throws IOException {
		addTo(new Pair(), 5);
		Path file = this.directory.resolve("sum.snapshot");
		byte[] damaged = Files.readAllBytes(file);
		damaged[damaged.length - 6] ^= 1;
		Files.write(file, damaged);
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = define(runtime, saving(), new Pair());
			assertThatExceptionOfType(SnapshotException.class).isThrownBy(kernel::launch)
				.withMessageContainingAll("sum.snapshot", "check sum");
			assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		}
		assertThat(file).hasBinaryContent(damaged);
	}

	@Test
	void aReplicaIsNotSavedByItself() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> replica = started(runtime, Snapshots.NONE, new Pair()).replicas().get(1);
			assertThatExceptionOfType(SnapshotException.class)
				.isThrownBy(() -> replica.snapshot(this.directory.resolve("file")))
				.withMessageContainingAll("share the handler", "as a whole");
		}
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void aKernelThatIsNotLaunchedHasNoState() {
		try (RingKernelRuntime runtime = runtime()) {
			Kernel<Number, Number> kernel = define(runtime, Snapshots.NONE, new Pair());
			assertThatExceptionOfType(KernelNotActiveException.class)
				.isThrownBy(() -> kernel.snapshot(this.directory.resolve("file")));
		}
	}

	private void restore(Path file, Pair target) {
		try (RingKernelRuntime runtime = runtime()) {
			started(runtime, Snapshots.NONE, target).restore(file);
		}
	}

	private long addTo(Pair handler, long summand) {
		try (RingKernelRuntime runtime = runtime()) {
			return started(runtime, saving(), handler).client().call(new Number(summand)).value();
		}
	}

	private Snapshots saving() {
		return new Snapshots(this.directory, Duration.ZERO, true);
	}

	private static RingKernelRuntime runtime() {
		return RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider()));
	}

	private static Kernel<Number, Number> started(RingKernelRuntime runtime, Snapshots snapshots,
			RingKernelHandler<Number, Number> handler) {
		Kernel<Number, Number> kernel = define(runtime, snapshots, handler);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static Kernel<Number, Number> define(RingKernelRuntime runtime, Snapshots snapshots,
			RingKernelHandler<Number, Number> handler) {
		KernelOptions options = KernelOptions.builder().workers(1).requestTimeout(LIMIT).snapshots(snapshots).build();
		return runtime.define(KernelSpec.of("sum", Number.class, Number.class, handler, options),
				new Replication(REPLICAS, List.of()), null);
	}

	record Number(long value) {
	}

	/** The CPU, which refuses one replica, and whose loop of another has failed. */
	private static final class Faulty extends ForwardingBackend {

		private volatile String refused = "";

		private volatile String broken = "";

		Faulty() {
			super(new CpuBackend(ExecutionMode.PERSISTENT));
		}

		RingKernelRuntime runtime() {
			return RingKernelRuntime.open(PlanRequest.AUTO, List.of(PlayedProvider.cpu(this)));
		}

		@Override
		public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
			if (kernel.id().equals(this.refused)) {
				throw new KernelLaunchException(kernel.id(), "it is refused.", null);
			}
			return new ForwardingLoop(super.load(kernel, region)) {

				@Override
				public @Nullable Throwable failure() {
					return kernel.id().equals(Faulty.this.broken) ? new IllegalStateException("it is broken")
							: super.failure();
				}

			};
		}

	}

	/** Two sums that are the same before and after each request. */
	static final class Pair implements RingKernelHandler<Number, Number> {

		private final long[] first = new long[1];

		private final long[] second = new long[1];

		@Override
		public Number handle(Number request) {
			long sum = Parallel.atomicAdd(this.first, 0, request.value()) + request.value();
			Parallel.atomicAdd(this.second, 0, request.value());
			return new Number(sum);
		}

	}

}
