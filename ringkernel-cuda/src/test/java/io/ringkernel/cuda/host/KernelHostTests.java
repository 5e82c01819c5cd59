package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.ringkernel.KernelState;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.cuda.host.wire.HostFailureException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.KernelHostRestarted;
import io.ringkernel.platform.KernelQuarantined;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A kernel host ends in each of the ways in which a process can, and the application goes
 * on.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class KernelHostTests extends KernelHostFixture {

	KernelHostTests(@TempDir Path directory) {
		super(directory);
	}

	@Test
	void aHostThatIsKilledUnderLoadLosesNoRequest() throws Exception {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
		Concurrently.Running callers = Concurrently.start(4, (caller) -> call(kernel, caller));
		awaitMore(500);
		long first = host().pid();
		host().destroyForcibly();
		awaitReturn(kernel);
		assertThat(host().pid()).isNotEqualTo(first);
		awaitMore(500);
		this.done.set(true);
		callers.join(LIMIT);
		assertThat(this.runtime.hosts()).singleElement().satisfies((status) -> {
			assertThat(status.crashes()).isEqualTo(1);
			assertThat(status.restarts()).isEqualTo(1);
			assertThat(status.outage()).isPositive();
			assertThat(status.lastExit()).contains("exit status 137");
			assertThat(status.devices()).containsExactly(0);
			assertThat(status.isLost()).isFalse();
		});
		awaitEvents(KernelHostLost.class, KernelHostRestarted.class);
		assertThat(this.events.get(0)).isInstanceOfSatisfying(KernelHostLost.class, (lost) -> {
			assertThat(lost.pid()).isEqualTo(first);
			assertThat(lost.reason()).contains("exit status 137");
			assertThat(lost.atWork()).as("it was killed from outside").isEmpty();
		});
		assertThat(this.events.get(1)).isInstanceOfSatisfying(KernelHostRestarted.class,
				(restarted) -> assertThat(restarted.pid()).isEqualTo(host().pid()));
		assertThat(kernel.status().lost()).isZero();
	}

	@Test
	void eachDeviceHasAHostOfItsOwn() {
		Kernel<Number, Number> first = activate(PlanRequest.AUTO);
		Kernel<Number, Number> second = this.runtime
			.define(DeviceHostMain.kernel("second", OPTIONS.toBuilder().device(1).build()));
		second.launch();
		second.activate();
		assertThat(this.runtime.hosts()).extracting(HostStatus::devices).containsExactly(List.of(0), List.of(1));
		long ofSecond = this.provider.hosts().get(1).pid();
		assertThat(ofSecond).isNotEqualTo(host().pid());
		host().destroyForcibly();
		Awaitility.await().atMost(LIMIT).until(() -> this.provider.hosts().get(0).crashes() == 1);
		assertThat(second.client().call(new Number(4))).isEqualTo(new Number(8));
		assertThat(second.plan().backend()).isEqualTo(BackendKind.CUDA);
		assertThat(this.provider.hosts().get(1).pid()).isEqualTo(ofSecond);
		assertThat(this.provider.hosts().get(1).crashes()).isZero();
		awaitReturn(first);
	}

	@Test
	void aHostThatNoOtherOneHasReplacedIsLost() {
		this.runtime = RingKernelRuntime.open(CUDA, List.of(this.provider, new CpuBackendProvider()));
		host().destroyForcibly();
		Awaitility.await().atMost(LIMIT).until(() -> this.provider.hosts().get(0).isLost());
		assertThat(this.provider.hosts().get(0).pid()).isZero();
		assertThat(this.provider.hosts().get(0).lastExit()).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(longs = { DeviceHostMain.HALT, DeviceHostMain.CRASH })
	void aKernelThatEndsTheHostTwiceInARowIsKeptFromItAndTheOthersGoOn(long fault) {
		Kernel<Number, Number> kernel = activate(CUDA);
		Kernel<Number, Number> other = activate(this.runtime, "others", OPTIONS);
		assertThatExceptionOfType(RingKernelException.class).isThrownBy(() -> kernel.client().call(new Number(fault)));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.FAILED);
		assertThat(this.provider.hosts().get(0).crashes()).isEqualTo(2);
		assertThat(this.provider.hosts().get(0).quarantined()).containsExactly("numbers");
		assertThat(kernel.status().replayed()).isEqualTo(1);
		awaitEvents(KernelHostLost.class, KernelHostRestarted.class, KernelHostLost.class, KernelQuarantined.class);
		assertThat(((KernelHostLost) this.events.get(0)).atWork()).containsExactly("numbers");
		assertThat(((KernelQuarantined) this.events.get(3)).kernelId()).isEqualTo("numbers");
		assertThat(other.client().call(new Number(9))).isEqualTo(new Number(18));
		assertThat(other.plan().backend()).isEqualTo(BackendKind.CUDA);
		kernel.relaunch();
		assertThat(kernel.client().call(new Number(4))).isEqualTo(new Number(8));
	}

	@ParameterizedTest
	@CsvSource({ DeviceHostMain.HALT + ", exit status 134", DeviceHostMain.EXHAUST + ", exit status 3" })
	void aHandlerThatEndsTheHostEndsNoApplication(long fault, String exit) {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		assertThat(kernel.client().call(new Number(fault))).isEqualTo(new Number(2 * fault));
		awaitCpu(kernel);
		assertThat(this.changes.get(0).reason()).contains(exit);
	}

	@Test
	void aHostThatGivesNoSignOfLifeIsEnded() throws Exception {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		ProcessHandle stopped = host();
		assertThat(new ProcessBuilder("kill", "-STOP", String.valueOf(stopped.pid())).start().waitFor()).isZero();
		assertThat(kernel.client().call(new Number(5))).isEqualTo(new Number(10));
		awaitCpu(kernel);
		assertThat(stopped.isAlive()).isFalse();
		assertThat(this.provider.hosts().get(0).lastExit()).contains("no sign of life");
	}

	@Test
	void aKernelThatMustBeOnTheDeviceGoesOnInANewHost() throws Exception {
		Kernel<Number, Number> kernel = activate(CUDA);
		Concurrently.Running callers = Concurrently.start(4, (caller) -> call(kernel, caller));
		for (int i = 0; i < CrashBudget.CRASHES - 1; i++) {
			long last = host().pid();
			host().destroyForcibly();
			Awaitility.await()
				.atMost(LIMIT)
				.until(() -> this.provider.hosts().get(0).pid(), (pid) -> pid != 0 && pid != last);
			awaitMore(500);
		}
		this.done.set(true);
		callers.join(LIMIT);
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
	}

	@Test
	void aHostThatEndsTooOftenIsGivenUp() {
		Kernel<Number, Number> kernel = activate(PlanRequest.AUTO);
		for (int i = 0; i < CrashBudget.CRASHES; i++) {
			assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
			this.changes.clear();
			host().destroyForcibly();
			awaitCpu(kernel);
			if (i < CrashBudget.CRASHES - 1) {
				awaitReturn(kernel);
			}
		}
		kernel.relaunch();
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(this.runtime.platformFailure()).isInstanceOf(HostFailureException.class)
			.hasMessageContaining("3 times within 5m");
		assertThat(kernel.client().call(new Number(7))).isEqualTo(new Number(14));
	}

	/** Whatever is added to no time at all is what is added. */
	@Test
	void aLoadMayWaitForOtherKernelsAsLongAsTheyMayTakeToStop() {
		HostOptions options = new HostOptions(this.directory, Duration.ofSeconds(30), Duration.ofSeconds(2),
				HostOptions.STUCK_AFTER);
		KernelHostProvider hasty = new KernelHostProvider(new DeviceHostMain.Device(), options,
				() -> new KernelHost(new HostLauncher(DeviceHostMain.class.getName(), options, Duration.ZERO)::launch,
						new CrashBudget()));
		this.runtime = RingKernelRuntime.open(CUDA, List.of(hasty, new CpuBackendProvider()));
		Kernel<Number, Number> kernel = this.runtime
			.define(DeviceHostMain.kernel("numbers", OPTIONS.toBuilder().stopTimeout(LIMIT).build()));
		kernel.launch();
		assertThat(hasty.hosts().get(0).crashes()).isZero();
	}

	@Test
	void aClosedRuntimeLeavesNeitherProcessNorFile() {
		activate(PlanRequest.AUTO);
		assertThat(this.directory).as("rings are no files once they are mapped").isEmptyDirectory();
		ProcessHandle process = host();
		this.runtime.close();
		assertThat(process.isAlive()).isFalse();
		assertThat(this.provider.hosts().get(0).crashes()).isZero();
		assertThat(this.directory).isEmptyDirectory();
	}

}
