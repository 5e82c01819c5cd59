package io.ringkernel.test.ptx;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelStateRecovery;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.test.ptx.HandlerSnapshotTests.Desk;
import io.ringkernel.test.ptx.HandlerSnapshotTests.Position;
import io.ringkernel.test.ptx.HandlerSnapshotTests.Trade;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel whose host is killed goes on with the state that was saved last, wherever it
 * goes on.
 */
@Tag("every-platform")
class StateOfALostHostTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final PtxMachine machine = new PtxMachine();

	private final KernelHostProvider host = new KernelHostProvider(this.machine.provider(),
			IsolatedHandlerSnapshotTests.class, HostOptions.DEFAULTS);

	@TempDir
	private Path directory;

	@AfterEach
	void close() {
		this.machine.close();
	}

	@Test
	void theCpuGoesOnAndThenTheDeviceAgain() {
		List<KernelStateRecovery> recoveries = new CopyOnWriteArrayList<>();
		try (RingKernelRuntime runtime = runtime(null, this.host, new CpuBackendProvider())) {
			runtime.addListener((event) -> {
				if (event instanceof KernelStateRecovery recovery) {
					recoveries.add(recovery);
				}
			});
			Kernel<Trade, Position> desk = saved(runtime);
			kill();
			assertThat(trade(desk, -2)).isEqualTo(new Position(103, 2, -2, 1.25f));
			Awaitility.await().atMost(LIMIT).until(() -> desk.plan().backend() == BackendKind.CUDA);
			assertThat(trade(desk, 1)).isEqualTo(new Position(104, 3, -2, 1.75f));
			Awaitility.await().atMost(LIMIT).until(() -> recoveries.size() >= 2);
		}
		assertThat(recoveries).allSatisfy((recovery) -> assertThat(recovery.restoredFrom()).isNotNull());
	}

	@Test
	void theNextHostGoesOnIfNothingElseMay() {
		try (RingKernelRuntime runtime = runtime(BackendKind.CUDA, this.host)) {
			Kernel<Trade, Position> desk = saved(runtime);
			kill();
			assertThat(trade(desk, -2)).isEqualTo(new Position(103, 2, -2, 1.25f));
		}
	}

	@Test
	void aKernelThatWasNeverSavedBeginsAnewAndSaysSo() {
		try (RingKernelRuntime runtime = runtime(BackendKind.CUDA, this.host)) {
			Kernel<Trade, Position> desk = desk(runtime, new Snapshots(this.directory, Duration.ZERO, true));
			trade(desk, 5);
			kill();
			assertThat(trade(desk, -2)).isEqualTo(new Position(98, 1, -2, 0.75f));
			assertThat(desk.stateOrigin().orElseThrow().restoredFrom()).isNull();
			assertThat(desk.stateOrigin().orElseThrow().reason()).contains("it was never saved");
		}
	}

	/** After one trade of 5. */
	private Kernel<Trade, Position> saved(RingKernelRuntime runtime) {
		Kernel<Trade, Position> desk = desk(runtime, new Snapshots(this.directory, Duration.ofMillis(10), true));
		trade(desk, 5);
		Awaitility.await().atMost(LIMIT).until(() -> desk.stateOrigin().orElseThrow().savedAt() != null);
		return desk;
	}

	private static Kernel<Trade, Position> desk(RingKernelRuntime runtime, Snapshots snapshots) {
		Kernel<Trade, Position> kernel = runtime.define(KernelSpec.of("desk", Trade.class, Position.class, new Desk(),
				KernelOptions.builder()
					.workers(2)
					.requestTimeout(LIMIT)
					.replay(Replay.IDEMPOTENT)
					.snapshots(snapshots)
					.build()));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static RingKernelRuntime runtime(BackendKind backend, BackendProvider... providers) {
		return RingKernelRuntime.open(new PlanRequest(backend, null, null), List.of(providers));
	}

	/** Until it has ended, it may answer. */
	private void kill() {
		ProcessHandle process = ProcessHandle.of(this.host.hosts().get(0).pid()).orElseThrow();
		process.destroyForcibly();
		assertThat(process.onExit()).succeedsWithin(LIMIT);
	}

	private static Position trade(Kernel<Trade, Position> kernel, long amount) {
		return kernel.client().call(new Trade(amount));
	}

}
