package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.cuda.simulated.SimulatedPlatform;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.routing.KeyExtractor;
import io.ringkernel.runtime.DeviceStatus;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Kernels on several devices of one process.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeveralDevicesTests {

	private static final PlanRequest CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	/** How long a kernel may take to end, which is waited for after a fault. */
	private static final Duration TO_END = Duration.ofMillis(300);

	private static final CudaStatus FAULT = new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS");

	private final SimulatedDriver driver = new SimulatedDriver().devices(2);

	private final CudaPlatform platform = new CudaPlatform(this.driver);

	private RingKernelRuntime runtime = open(CUDA);

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void aKernelRunsOnTheDeviceThatItNames() {
		Kernel<Echo, Echo> first = active("first", KernelOptions.DEVICE_OF_RUNTIME);
		Kernel<Echo, Echo> second = active("second", 1);
		assertThat(answers(first)).isTrue();
		assertThat(answers(second)).isTrue();
		assertThat(List.of(first.plan().device(), second.plan().device())).containsExactly(0, 1);
		assertThat(this.driver.context(0).loads()).isEqualTo(1);
		assertThat(this.driver.context(1).loads()).isEqualTo(1);
	}

	@Test
	void aRuntimeIsOpenedForAnotherDeviceThanTheFirst() {
		this.runtime.close();
		this.runtime = open(CUDA.on(1));
		assertThat(answers(active("echo", KernelOptions.DEVICE_OF_RUNTIME))).isTrue();
		assertThat(this.driver.context(1).loads()).isEqualTo(1);
	}

	@Test
	void aNewReplicaRunsOnTheNextOfItsDevices() {
		Kernel<Echo, Echo> kernel = replicated(null);
		kernel.resize(4);
		assertThat(kernel.replicas()).extracting((replica) -> replica.plan().device()).containsExactly(0, 1, 0, 1);
		assertThat(answers(kernel)).isTrue();
		kernel.resize(1);
		assertThat(answers(kernel)).isTrue();
	}

	@Test
	void theStateOfKeysOnADeviceIsNotDivided() {
		Kernel<Echo, Echo> kernel = replicated((request) -> request.sequence());
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> kernel.resize(3))
			.withMessageStartingWith("replicas = 3 cannot be reached while ring kernel 'echo' runs on a device")
			.withMessageEndingWith(
					"Terminate the kernel before, launch it afterwards, and load the state of the keys anew.");
		assertThat(kernel.replicas()).hasSize(2);
		kernel.terminate();
		kernel.resize(3);
		kernel.relaunch();
		assertThat(answers(kernel)).isTrue();
	}

	private Kernel<Echo, Echo> replicated(@Nullable KeyExtractor<Echo> key) {
		Kernel<Echo, Echo> kernel = this.runtime.define(
				this.driver.context(1).install(this.driver.context(0).install(spec("echo", 0))),
				new Replication(2, List.of(0, 1)), key);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	@Test
	void aDeviceThatNoKernelNamesIsNotOpened() {
		active("echo", 0);
		assertThat(this.driver.opened()).containsExactly(0);
		assertThat(this.runtime.devices()).hasSize(1);
	}

	@Test
	void eachDeviceInUseIsPlannedForByItselfAndShown() {
		this.driver.context(1).platform(SimulatedPlatform.LINUX.withoutHearing());
		active("first", 0);
		active("second", 1);
		active("third", 1);
		assertThat(this.runtime.devices()).extracting(DeviceStatus::plan).satisfiesExactly((plan) -> {
			assertThat(plan.device()).isZero();
			assertThat(plan.reasons()).doesNotContain("a running kernel does not see what the host writes");
		}, (plan) -> {
			assertThat(plan.device()).isEqualTo(1);
			assertThat(plan.platform()).containsEntry("device-index", "1");
			assertThat(plan.reasons()).contains("a running kernel does not see what the host writes");
		});
	}

	@Test
	void aDeviceThatThereIsNotIsRefusedWithWhatThereIs() {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> define("echo", 2))
			.withMessage(
					"device = 2 is no device of this process, which sees 2. Set it to a value from 0 to 1, or have "
							+ "the process see more devices: CUDA_VISIBLE_DEVICES and --gpus of a container say which.");
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> open(CUDA.on(5)))
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("ringkernel.device"));
	}

	@Test
	void aKernelThatNamesADeviceRunsOnTheCpuWhereThereIsNoneAtAll() {
		SimulatedDriver none = new SimulatedDriver()
			.failing(new CudaUnavailableException("no CUDA driver is installed", "Install the NVIDIA driver.", null));
		try (RingKernelRuntime onCpu = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(new CudaBackendProvider(new CudaPlatform(none)), new CpuBackendProvider()))) {
			Kernel<Echo, Echo> kernel = onCpu.define(this.driver.context(1).install(spec("echo", 1)));
			kernel.relaunch();
			assertThat(answers(kernel)).isTrue();
			assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CPU);
			assertThat(onCpu.devices()).hasSize(1);
		}
	}

	@Test
	void aFaultOfOneDeviceLeavesKernelsOfAnotherUntouched() {
		Kernel<Echo, Echo> sound = active("sound", 0);
		Kernel<Echo, Echo> faulted = active("faulted", 1);
		long launches = sound.status().loopLaunches();
		this.driver.context(1).fault(FAULT);
		Awaitility.await().until(() -> faulted.status().state() == KernelState.FAILED);
		assertThat(answers(sound)).isTrue();
		assertThat(sound.status().loopLaunches()).isEqualTo(launches);
		assertThat(this.runtime.devices()).extracting((device) -> device.failure() != null)
			.containsExactly(false, true);
		sound.relaunch();
		assertThat(answers(sound)).isTrue();
		assertThat(answers(active("another", 0))).isTrue();
	}

	private RingKernelRuntime open(PlanRequest request) {
		return RingKernelRuntime.open(request, List.of(new CudaBackendProvider(this.platform)));
	}

	private Kernel<Echo, Echo> active(String id, int device) {
		Kernel<Echo, Echo> kernel = define(id, device);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private Kernel<Echo, Echo> define(String id, int device) {
		int target = (device == KernelOptions.DEVICE_OF_RUNTIME) ? this.runtime.request().device() : device;
		KernelSpec<Echo, Echo> spec = spec(id, device);
		return this.runtime
			.define((target < 2) ? this.driver.context(target).install(spec) : CudaTestKernels.withImage(spec, "none"));
	}

	private static KernelSpec<Echo, Echo> spec(String id, int device) {
		return CudaTestKernels.renamed(id, new CpuTestKernels()
			.echo(KernelOptions.builder().workers(2).device(device).stopTimeout(TO_END).build()));
	}

	private static boolean answers(Kernel<Echo, Echo> kernel) {
		Echo request = Echo.of(1, 2);
		return kernel.client().call(request).equals(request);
	}

}
