package io.ringkernel.cuda;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Kernels that find no place on a real device although the sum of their shares would have
 * them fit. The emulated device has no multiprocessors, only threads.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaCoResidencyTests {

	/** More than half of the registers of a multiprocessor, with 48 or more a thread. */
	private static final int WHOLE = 1024;

	/** With as many registers a thread, more of them than a large block leaves. */
	private static final int SMALL = 512;

	/** Of a multiprocessor, from compute capability 7.0 on. */
	private static final int REGISTERS = 65_536;

	private static final int WARP = 32;

	private final CudaTestKernels kernels = new CudaTestKernels();

	private RingKernelRuntime runtime;

	private int multiprocessors;

	@BeforeEach
	void open() {
		DeviceProperties device = CudaPlatform.system().device().properties();
		assumeThat(device.name()).doesNotStartWith("Emulated");
		this.multiprocessors = device.multiprocessors();
		this.runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, null));
	}

	@AfterEach
	void close() {
		if (this.runtime != null) {
			this.runtime.close();
		}
	}

	@Test
	void aKernelHasNoWorkersWhereEightSmallBlocksLeaveNoRoomForLargeOnes() {
		Kernel<Echo, Echo> small = this.runtime.define(this.kernels.echo(options(8, SMALL)));
		small.relaunch();
		Kernel<Blob, BlobReply> large = blob("large", this.multiprocessors - 4, WHOLE);
		large.relaunch();
		assertThat(large.status().workers()).isEqualTo(this.multiprocessors - 8);
		assertThat(large.plan().mode()).isEqualTo(ExecutionMode.PERSISTENT);
		for (int i = 0; i < 2 * large.status().slots(); i++) {
			assertThat(answers(large)).isTrue();
		}
		Echo request = Echo.of(1, 2);
		assertThat(small.client().call(request)).isEqualTo(request);
	}

	@Test
	void kernelsThatFindNoPlaceBesideEachOtherDoNotWaitForTheTimeLimitOfALaunch() {
		this.runtime.close();
		this.runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, null));
		Kernel<Blob, BlobReply> first = blob("first", this.multiprocessors, WHOLE);
		Kernel<Blob, BlobReply> second = blob("second", this.multiprocessors, WHOLE);
		first.relaunch();
		second.relaunch();
		long before = first.status().loopLaunches();
		for (int i = 0; i < 100; i++) {
			assertThat(answers(first)).isTrue();
			assertThat(answers(second)).isTrue();
		}
		assertThat(first.status().loopLaunches() - before).isGreaterThanOrEqualTo(100);
	}

	@Test
	void aBlockOfHalfAMultiprocessorOnEachLeavesNoPlaceForSlightlyLargerOnes() {
		int half = threadsOfHalfTheRegisters();
		Kernel<Blob, BlobReply> halves = blob("halves", this.multiprocessors, half);
		halves.relaunch();
		int workers = this.multiprocessors / 2;
		Kernel<Blob, BlobReply> larger = blob("larger", workers, half + WARP);
		larger.launch();
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(larger::activate)
			.withMessageContaining("%d of its %d workers gave no sign of life".formatted(workers, workers))
			.withMessageContaining("beside 'halves'");
		assertThat(answers(halves)).isTrue();
		halves.terminate();
		larger.relaunch();
		assertThat(answers(larger)).isTrue();
	}

	private int threadsOfHalfTheRegisters() {
		Kernel<Blob, BlobReply> kernel = blob("registers", 1, WARP);
		kernel.launch();
		int registers = (int) kernel.launchParameters().get("registersPerThread");
		kernel.terminate();
		return REGISTERS / 2 / registers / WARP * WARP;
	}

	private Kernel<Blob, BlobReply> blob(String id, int workers, int threads) {
		KernelSpec<Blob, BlobReply> spec = this.kernels.blob(options(workers, threads));
		return this.runtime.define(CudaTestKernels.renamed(id, new KernelSpec<>(spec.id(), spec.requests(),
				spec.responses(), spec.handler(), spec.image() + "#blob", spec.options())));
	}

	private static KernelOptions options(int workers, int threads) {
		return KernelOptions.builder().workers(workers).threadsPerWorker(threads).build();
	}

	private static boolean answers(Kernel<Blob, BlobReply> kernel) {
		BlobReply reply = kernel.client().call(new Blob(1, 7, new byte[] { 1, 2, 3 }));
		return reply.sequence() == 7 && reply.bytes().length == 3;
	}

}
