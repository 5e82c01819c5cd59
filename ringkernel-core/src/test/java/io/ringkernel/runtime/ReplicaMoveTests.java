package io.ringkernel.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.RingKernelKey;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.ReplicaUnavailableException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.routing.KeyExtractor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A replica whose device is lost goes on on another one with the state that was saved
 * last, or stays.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaMoveTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final PlanRequest CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	private final PlayedDevices devices = new PlayedDevices(3, Sum::new);

	private RingKernelRuntime runtime = RingKernelRuntime.open(CUDA, List.of(this.devices));

	@TempDir
	private Path directory;

	record Step(@RingKernelKey long key, long value) {
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void aReplicaGoesOnWithWhatWasSavedAndReturnsWithWhatItHas() {
		Kernel<Step, Step> kernel = started(2, List.of(0, 1), OnLoss.MOVE);
		Kernel<Step, Step> moving = kernel.replicas().get(shard(kernel, 42));
		int device = moving.plan().device();
		add(kernel, 5);
		moving.snapshot(this.directory.resolve(moving.id() + ".snapshot"));
		add(kernel, 100);
		this.devices.lose(device);
		assertThat(add(kernel, 1)).as("what came after the snapshot is lost").isEqualTo(6);
		awaitDevice(moving, 1 - device);
		assertThat(moving.stateOrigin().orElseThrow().restoredFrom()).isNotNull();
		this.devices.giveBack(device);
		awaitDevice(moving, device);
		assertThat(add(kernel, 1)).isEqualTo(7);
	}

	@Test
	void requestsOfOtherReplicasNoticeNothing() {
		Kernel<Step, Step> kernel = started(2, List.of(0, 1), OnLoss.MOVE);
		int shard = shard(kernel, 42);
		add(kernel, 5);
		this.devices.lose(kernel.replicas().get(1 - shard).plan().device());
		kernel.replicas().get(1 - shard).client().call(new Step(0, 1));
		assertThat(add(kernel, 1)).isEqualTo(6);
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	@Test
	void aReplicaThatStaysTakesNoRequests() {
		Kernel<Step, Step> kernel = started(2, List.of(0, 1), OnLoss.FAIL);
		int shard = shard(kernel, 42);
		this.devices.lose(kernel.replicas().get(shard).plan().device());
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> kernel.replicas().get(shard).status().state() == KernelState.FAILED);
		assertThatExceptionOfType(ReplicaUnavailableException.class).isThrownBy(() -> add(kernel, 1))
			.satisfies((ex) -> assertThat(ex.shard()).isEqualTo(shard));
	}

	@Test
	void aReplicaForWhichNoDeviceIsLeftTakesNoRequests() {
		Kernel<Step, Step> kernel = started(2, List.of(0, 1), OnLoss.MOVE);
		this.devices.lose(0);
		this.devices.lose(1);
		kernel.replicas()
			.forEach((replica) -> Awaitility.await()
				.atMost(LIMIT)
				.until(() -> replica.status().state() == KernelState.FAILED));
		assertThatExceptionOfType(ReplicaUnavailableException.class).isThrownBy(() -> add(kernel, 1));
	}

	@Test
	void aReplicaMovesOnIfTheNextDeviceIsLostAsWell() {
		Kernel<Step, Step> kernel = started(1, List.of(0, 1, 2), OnLoss.MOVE);
		this.devices.lose(0);
		assertThat(add(kernel, 1)).isEqualTo(1);
		awaitDevice(kernel, 1);
		this.devices.lose(1);
		assertThat(add(kernel, 1)).isEqualTo(1);
		awaitDevice(kernel, 2);
	}

	@Test
	void theCpuGoesOnIfNoDeviceDoes() {
		this.runtime.close();
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.<BackendProvider>of(this.devices, new CpuBackendProvider()));
		Kernel<Step, Step> kernel = started(2, List.of(0, 1), OnLoss.MOVE);
		this.devices.lose(0);
		this.devices.lose(1);
		add(kernel, 1);
		Kernel<Step, Step> replica = kernel.replicas().get(shard(kernel, 42));
		Awaitility.await().atMost(LIMIT).until(() -> replica.plan().backend() == BackendKind.CPU);
	}

	/** The other replica has the state of its keys in one piece. */
	@Test
	void theNumberOfReplicasStaysWhileOneOfThemIsAwayFromItsDevice() {
		this.runtime.close();
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.<BackendProvider>of(this.devices, new CpuBackendProvider()));
		Kernel<Step, Step> kernel = started(2, List.of(0, 1), OnLoss.FAIL);
		for (int lost = 0; lost < 2; lost++) {
			Kernel<Step, Step> replica = kernel.replicas().get(lost);
			this.devices.lose(lost);
			Awaitility.await().atMost(LIMIT).until(() -> {
				replica.client().call(new Step(0, 0));
				return replica.plan().backend() == BackendKind.CPU;
			});
			assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> kernel.resize(3))
				.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("replicas"));
			assertThat(kernel.replicas()).hasSize(2);
		}
	}

	/** The device would begin anew, and what was answered meanwhile would be gone. */
	@ParameterizedTest
	@EnumSource
	void aKernelStaysAwayUntilItsStateIsSaved(OnLoss onLoss) throws IOException {
		this.directory = this.directory.resolve("occupied");
		this.runtime.close();
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.<BackendProvider>of(this.devices, new CpuBackendProvider()));
		Kernel<Step, Step> kernel = started(1, (onLoss == OnLoss.MOVE) ? List.of(0, 1) : List.of(0), onLoss);
		this.devices.lose(0);
		assertThat(add(kernel, 5)).isEqualTo(5);
		Files.createFile(this.directory);
		this.devices.giveBack(0);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.stateOrigin().orElseThrow().problem() != null);
		assertThat(add(kernel, 1)).isEqualTo(6);
		Files.delete(this.directory);
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> kernel.plan().backend() == BackendKind.CUDA && kernel.plan().device() == 0);
		assertThat(add(kernel, 1)).isEqualTo(7);
	}

	/**
	 * The device has the state of the launch before neither in its memory nor in a file.
	 */
	@Test
	void aLaunchOnTheDeviceBeginsWithTheStateOfTheCpuThatWasNotSaved() throws IOException {
		this.directory = this.directory.resolve("occupied");
		this.runtime.close();
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.<BackendProvider>of(this.devices, new CpuBackendProvider()));
		Kernel<Step, Step> kernel = started(1, List.of(0), OnLoss.FAIL);
		this.devices.lose(0);
		assertThat(add(kernel, 5)).isEqualTo(5);
		Files.createFile(this.directory);
		kernel.terminate();
		this.devices.giveBack(0);
		kernel.relaunch();
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
		assertThat(add(kernel, 1)).isEqualTo(6);
	}

	@Test
	void aSpareDeviceThatThereIsNotIsRefused() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> started(1, List.of(0, 7), OnLoss.MOVE))
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("device"));
	}

	private Kernel<Step, Step> started(int replicas, List<Integer> on, OnLoss onLoss) {
		KernelOptions options = KernelOptions.builder()
			.workers(1)
			.requestTimeout(LIMIT)
			.snapshots(new Snapshots(this.directory, Duration.ZERO, true))
			.build();
		Kernel<Step, Step> kernel = this.runtime.define(
				KernelSpec.of("sum", Step.class, Step.class, new Sum(), options), new Replication(replicas, on, onLoss),
				KeyExtractor.ofComponent(Step.class));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	/** It may be answered there before it is said to be there. */
	private static void awaitDevice(Kernel<Step, Step> replica, int device) {
		Awaitility.await().atMost(LIMIT).until(() -> replica.plan().device() == device);
	}

	private static long add(Kernel<Step, Step> kernel, long value) {
		return kernel.client().call(new Step(42, value)).value();
	}

	/** The replica of a key, whose state it leaves alone. */
	private static int shard(Kernel<Step, Step> kernel, long key) {
		List<Long> before = kernel.replicas().stream().map((replica) -> replica.status().processed()).toList();
		kernel.client().call(new Step(key, 0));
		for (int i = 0; i < before.size(); i++) {
			if (kernel.replicas().get(i).status().processed() > before.get(i)) {
				return i;
			}
		}
		throw new IllegalStateException("No replica has answered");
	}

	static final class Sum implements RingKernelHandler<Step, Step> {

		private long sum;

		@Override
		public Step handle(Step request) {
			this.sum += request.value();
			return new Step(request.key(), this.sum);
		}

	}

}
