package io.ringkernel.cuda;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of kernels whose device fails while they start: with {@code auto} they run
 * on the CPU and say why, and with {@code cuda} they say what helps.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AutoNeverFailsTests {

	private static final CudaStatus LOST = new CudaStatus(999, "CUDA_ERROR_UNKNOWN");

	private static final long TERABYTE = 1L << 40;

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	private final List<RingKernelRuntime> runtimes = new ArrayList<>();

	private final List<KernelPlanChange> changes = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.runtimes.forEach(RingKernelRuntime::close);
	}

	@Test
	void aDeviceThatIsLostBeforeTheKernelIsLoaded() {
		Kernel<Echo, Echo> kernel = define(PlanRequest.AUTO, KernelOptions.DEFAULTS);
		this.context.fault(LOST);
		kernel.launch();
		kernel.activate();
		assertThatItRunsOnTheCpu(kernel, "CUDA_ERROR_UNKNOWN");
	}

	@Test
	void aDeviceThatIsLostBetweenLoadAndStart() {
		Kernel<Echo, Echo> kernel = define(PlanRequest.AUTO, KernelOptions.DEFAULTS);
		kernel.launch();
		this.context.fault(LOST);
		kernel.activate();
		assertThatItRunsOnTheCpu(kernel, "CUDA_ERROR_UNKNOWN");
	}

	@Test
	void aDriverThatDoesNotLoadTheModuleInTime() {
		Kernel<Echo, Echo> kernel = define(PlanRequest.AUTO, KernelOptions.DEFAULTS);
		this.context.before("cuModuleLoadData", () -> {
			throw new CudaDeadlineException("cuModuleLoadData", Duration.ofSeconds(60));
		});
		kernel.launch();
		kernel.activate();
		assertThatItRunsOnTheCpu(kernel, "cuModuleLoadData");
	}

	@Test
	void moreStateThanTheDeviceHasMemory() {
		Kernel<Echo, Echo> kernel = define(PlanRequest.AUTO, KernelOptions.builder().stateMemory(TERABYTE).build());
		kernel.launch();
		kernel.activate();
		assertThatItRunsOnTheCpu(kernel, "of which 1099511627776 B are for the state of its handler");
		assertThat(this.changes).singleElement().satisfies((change) -> assertThat(change.degraded()).isTrue());
	}

	@Test
	void whereCudaIsDemandedTheAdviceNamesTheSettingAtFault() {
		Kernel<Echo, Echo> kernel = define(new PlanRequest(BackendKind.CUDA, null, null),
				KernelOptions.builder().stateMemory(TERABYTE).build());
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(kernel::launch)
			.withMessageContaining("cuMemAlloc")
			.withMessageEndingWith("Lower state-memory, or free memory of the device.");
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
	}

	private Kernel<Echo, Echo> define(PlanRequest request, KernelOptions options) {
		RingKernelRuntime runtime = RingKernelRuntime.open(request,
				List.of(new CudaBackendProvider(new CudaPlatform(this.driver)), new CpuBackendProvider()));
		this.runtimes.add(runtime);
		runtime.addListener((event) -> {
			if (event instanceof KernelPlanChange change) {
				this.changes.add(change);
			}
		});
		KernelSpec<Echo, Echo> spec = this.context.install(new CpuTestKernels().echo(options));
		Kernel<Echo, Echo> kernel = runtime.define(spec);
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
		return kernel;
	}

	private void assertThatItRunsOnTheCpu(Kernel<Echo, Echo> kernel, String reason) {
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(kernel.plan().reasons()).anySatisfy((text) -> assertThat(text).contains(reason));
		Echo request = Echo.of(1, 2);
		assertThat(kernel.client().call(request)).isEqualTo(request);
	}

}
