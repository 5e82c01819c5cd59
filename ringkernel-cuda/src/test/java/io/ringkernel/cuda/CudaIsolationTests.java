package io.ringkernel.cuda;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.exception.OutOfDeviceMemoryException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A device is used from a process of its own, which has its memory as well.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaIsolationTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	@Test
	void aProcessOfItsOwnIsTakenWhereThereIsADriver() {
		try (RingKernelRuntime runtime = open()) {
			assertThat(runtime.hosts()).singleElement().satisfies((host) -> assertThat(host.pid()).isPositive());
			Kernel<Echo, Echo> kernel = activate(runtime);
			assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
		}
	}

	@Test
	void memoryOfTheDeviceIsThatOfTheProcessOfItsOwn() {
		try (RingKernelRuntime runtime = open()) {
			Kernel<Echo, Echo> kernel = activate(runtime);
			byte[] bytes = new byte[3_000_001];
			new Random(4).nextBytes(bytes);
			DeviceMemory memory = kernel.allocate(bytes.length + 5L).orElseThrow();
			memory.upload(5, ByteBuffer.wrap(bytes));
			byte[] back = new byte[bytes.length];
			memory.download(5, ByteBuffer.wrap(back));
			assertThat(back).isEqualTo(bytes);
			assertThat(memory.address()).isNotZero();
			assertThat(memory.isLost()).isFalse();
			assertThatExceptionOfType(IndexOutOfBoundsException.class)
				.isThrownBy(() -> memory.upload(6, ByteBuffer.wrap(bytes)))
				.withMessage("3000001 B at offset 6 do not lie within 3000006 B");
			memory.close();
			assertThatIllegalStateException().isThrownBy(() -> memory.download(0, ByteBuffer.wrap(back)));
			assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
		}
	}

	@Test
	void moreMemoryThanTheDeviceHasIsRefused() {
		try (RingKernelRuntime runtime = open()) {
			Kernel<Echo, Echo> kernel = activate(runtime);
			assertThatExceptionOfType(OutOfDeviceMemoryException.class).isThrownBy(() -> kernel.allocate(1L << 50))
				.withMessageContaining("The device of ring kernel 'echo' has not 1125899906842624 B of free memory");
			assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
		}
	}

	@Test
	void memoryGoesWithItsProcess() {
		try (RingKernelRuntime runtime = open()) {
			Kernel<Echo, Echo> kernel = activate(runtime);
			DeviceMemory memory = kernel.allocate(64).orElseThrow();
			ProcessHandle.of(runtime.hosts().get(0).pid()).orElseThrow().destroyForcibly();
			Awaitility.await().until(memory::isLost);
			assertThatExceptionOfType(DeviceLostException.class)
				.isThrownBy(() -> memory.upload(0, ByteBuffer.allocate(1)));
			memory.close();
			Awaitility.await()
				.atMost(LIMIT)
				.until(() -> kernel.plan().backend() == BackendKind.CUDA
						&& kernel.allocate(64).filter((anew) -> !anew.isLost()).isPresent());
		}
	}

	private static Kernel<Echo, Echo> activate(RingKernelRuntime runtime) {
		Kernel<Echo, Echo> kernel = runtime
			.define(new CudaTestKernels().echo(KernelOptions.builder().workers(2).build()));
		kernel.launch();
		kernel.activate();
		assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
		return kernel;
	}

	private static RingKernelRuntime open() {
		return RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(CudaBackendProvider.isolatedIfPossible(HostOptions.DEFAULTS), new CpuBackendProvider()));
	}

}
