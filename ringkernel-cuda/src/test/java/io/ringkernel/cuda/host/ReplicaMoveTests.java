package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.OnLoss;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A replica whose kernel host has ended goes on in the host of another device, and
 * returns.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class ReplicaMoveTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(4)
		.requestTimeout(LIMIT)
		.stopTimeout(Duration.ofSeconds(1))
		.replay(Replay.IDEMPOTENT)
		.build();

	private final AtomicBoolean done = new AtomicBoolean();

	private final AtomicLong answered = new AtomicLong();

	private final List<String> changes = new CopyOnWriteArrayList<>();

	private final KernelHostProvider provider;

	private final RingKernelRuntime runtime;

	ReplicaMoveTests(@TempDir Path directory) {
		this.provider = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(directory, Duration.ofSeconds(30), Duration.ofSeconds(1), HostOptions.STUCK_AFTER));
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.provider, new CpuBackendProvider()));
		this.runtime.addListener((event) -> {
			if (event instanceof KernelPlanChange change) {
				this.changes
					.add("%s: %s %d".formatted(change.kernel().id(), change.to().backend(), change.to().device()));
			}
		});
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void noRequestIsLostWhileAReplicaGoesThereAndBack() throws Exception {
		Kernel<Number, Number> kernel = activate(new Replication(2, List.of(0, 1), OnLoss.MOVE), OPTIONS);
		Concurrently.Running callers = Concurrently.start(4, (caller) -> call(kernel, caller));
		awaitMore(500);
		host(0).destroyForcibly();
		awaitChanges("numbers.0: CUDA 1", "numbers.0: CUDA 0");
		awaitMore(500);
		host(1).destroyForcibly();
		awaitChanges("numbers.0: CUDA 1", "numbers.0: CUDA 0", "numbers.1: CUDA 0", "numbers.1: CUDA 1");
		awaitMore(500);
		this.done.set(true);
		callers.join(LIMIT);
		assertThat(kernel.status().lost()).isZero();
	}

	@Test
	void whatMayHaveBeenBegunIsLostAndWhatWasNotIsAnsweredThere() {
		Kernel<Number, Number> kernel = activate(new Replication(2, List.of(0, 1), OnLoss.MOVE),
				OPTIONS.toBuilder().workers(1).replay(Replay.NEVER).build());
		Kernel<Number, Number> replica = kernel.replicas().get(0);
		CompletableFuture<Number> begun = replica.client().submit(new Number(DeviceHostMain.HANG));
		List<CompletableFuture<Number>> waiting = LongStream.range(1, 9)
			.mapToObj((value) -> replica.client().submit(new Number(value)))
			.toList();
		host(0).destroyForcibly();
		assertThat(begun).failsWithin(LIMIT).withThrowableThat().havingCause().isInstanceOf(RequestLostException.class);
		// The worker could have begun it, if its answer to the one before was on its way.
		assertThat(waiting.get(0)).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(RequestLostException.class);
		for (int i = 1; i < waiting.size(); i++) {
			assertThat(waiting.get(i)).succeedsWithin(LIMIT).isEqualTo(new Number(2 * (i + 1)));
		}
		awaitChanges("numbers.0: CUDA 1", "numbers.0: CUDA 0");
	}

	@Test
	void replicasOfADeviceGoToDifferentOnes() {
		Kernel<Number, Number> kernel = activate(new Replication(6, List.of(0, 1, 2), OnLoss.MOVE), OPTIONS);
		host(0).destroyForcibly();
		kernel.replicas().forEach((replica) -> assertThat(replica.client().call(new Number(3)).value()).isEqualTo(6));
		Awaitility.await().atMost(LIMIT).until(() -> this.changes.size() >= 4);
		assertThat(this.changes).containsExactlyInAnyOrder("numbers.0: CUDA 1", "numbers.3: CUDA 2",
				"numbers.0: CUDA 0", "numbers.3: CUDA 0");
	}

	@Test
	void aDeviceWithoutReplicasStandsBy() {
		Kernel<Number, Number> kernel = activate(new Replication(1, List.of(1, 0), OnLoss.MOVE), OPTIONS);
		assertThat(kernel.plan().device()).isEqualTo(1);
		host(1).destroyForcibly();
		assertThat(kernel.client().call(new Number(3)).value()).isEqualTo(6);
		awaitChanges("numbers: CUDA 0", "numbers: CUDA 1");
	}

	@Test
	void aReplicaThatIsToStayGoesOnOnTheCpu() {
		Kernel<Number, Number> kernel = activate(new Replication(2, List.of(0, 1)), OPTIONS);
		host(0).destroyForcibly();
		assertThat(kernel.replicas().get(0).client().call(new Number(3)).value()).isEqualTo(6);
		awaitChanges("numbers.0: CPU 0", "numbers.0: CUDA 0");
	}

	/** A replica that has ended a host twice in a row is kept from it. */
	@Test
	void aRequestThatEndsHostsIsAnsweredByTheCpu() {
		Kernel<Number, Number> kernel = activate(new Replication(2, List.of(0, 1), OnLoss.MOVE), OPTIONS);
		Kernel<Number, Number> replica = kernel.replicas().get(0);
		assertThat(replica.client().call(new Number(DeviceHostMain.HALT))).isEqualTo(new Number(-2));
		assertThat(this.provider.hosts()).extracting(HostStatus::crashes)
			.allSatisfy((crashes) -> assertThat(crashes).isBetween(1, 2));
		Kernel<Number, Number> other = kernel.replicas().get(1);
		assertThat(other.client().call(new Number(4)).value()).isEqualTo(8);
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> other.plan().device() == 1 && other.plan().backend() == BackendKind.CUDA);
	}

	private Kernel<Number, Number> activate(Replication replication, KernelOptions options) {
		Kernel<Number, Number> kernel = this.runtime.define(DeviceHostMain.kernel("numbers", options), replication,
				null);
		kernel.launch();
		kernel.activate();
		kernel.replicas().forEach((replica) -> assertThat(replica.client().call(new Number(1)).value()).isEqualTo(2));
		return kernel;
	}

	private void call(Kernel<Number, Number> kernel, int caller) {
		for (long i = 0; !this.done.get(); i++) {
			Number request = new Number(caller * 1_000_000_000L + i);
			Kernel<Number, Number> replica = kernel.replicas().get((int) (i % 2));
			assertThat(replica.client().call(request)).isEqualTo(DeviceHostMain.twice(request));
			this.answered.incrementAndGet();
		}
	}

	private void awaitMore(long answers) {
		long before = this.answered.get();
		Awaitility.await().atMost(LIMIT).until(() -> this.answered.get() >= before + answers);
	}

	private void awaitChanges(String... expected) {
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(this.changes).containsExactly(expected));
	}

	private ProcessHandle host(int device) {
		return this.provider.hosts()
			.stream()
			.filter((host) -> host.devices().contains(device))
			.map((host) -> ProcessHandle.of(host.pid()).orElseThrow())
			.findFirst()
			.orElseThrow();
	}

}
