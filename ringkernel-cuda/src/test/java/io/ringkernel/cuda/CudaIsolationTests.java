package io.ringkernel.cuda;

import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A device is used from a process of its own, unless its memory is shared with this one.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaIsolationTests {

	@Test
	void aProcessOfItsOwnIsTakenWhereThereIsADriver() {
		try (RingKernelRuntime runtime = open()) {
			assertThat(runtime.hosts()).singleElement().satisfies((host) -> assertThat(host.pid()).isPositive());
			Kernel<Echo, Echo> kernel = runtime
				.define(new CudaTestKernels().echo(KernelOptions.builder().workers(2).build()));
			kernel.launch();
			kernel.activate();
			assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
			assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
		}
	}

	@Test
	void deviceMemoryOfThisProcessIsRefusedBesideAHost() {
		try (RingKernelRuntime runtime = open()) {
			assertThat(runtime.plan().platform()).containsEntry("isolation", "process");
			assertThatExceptionOfType(CudaUnavailableException.class).isThrownBy(() -> DeviceMemory.allocate(64))
				.withMessageContaining("cannot use device memory of this one")
				.withMessageContaining("Set ringkernel.isolation to none");
		}
		DeviceMemory.allocate(64).close();
	}

	@Test
	void deviceMemoryOfThisProcessKeepsTheDeviceInIt() {
		try (DeviceMemory memory = DeviceMemory.allocate(64); RingKernelRuntime runtime = open()) {
			assertThat(memory.bytes()).isEqualTo(64);
			assertThatItIsHere(runtime, "it has device memory that kernels may be told to use");
		}
	}

	@Test
	void whatTheApplicationSaysAgainstItIsAReason() {
		try (RingKernelRuntime runtime = open("a test", "says so")) {
			assertThatItIsHere(runtime, "a test; says so");
		}
	}

	private static void assertThatItIsHere(RingKernelRuntime runtime, String why) {
		assertThat(runtime.hosts()).isEmpty();
		assertThat(runtime.plan().reasons()).contains("kernels run in the process of the application, because " + why);
	}

	private static RingKernelRuntime open(String... obstacles) {
		return RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(CudaBackendProvider.isolatedIfPossible(HostOptions.DEFAULTS, List.of(obstacles)),
						new CpuBackendProvider()));
	}

}
