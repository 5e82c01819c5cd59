package io.ringkernel.test.ptx;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.PlatformConformanceTests;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cuda.LinkedTestKernels;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The conformance suite of platforms over handlers that the library links with its
 * worker, launched on demand.
 */
@Tag("every-platform")
class LinkedConformanceTests extends PlatformConformanceTests {

	private final PtxMachine machine = new PtxMachine();

	@AfterEach
	void kernelsDidNothingWrong() {
		this.machine.close();
		assertThat(this.machine.faults()).isEmpty();
	}

	@Override
	protected BackendProvider provider() {
		return this.machine.provider();
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.MAPPED);
	}

	@Override
	protected TestKernels kernels() {
		return new LinkedTestKernels();
	}

}
