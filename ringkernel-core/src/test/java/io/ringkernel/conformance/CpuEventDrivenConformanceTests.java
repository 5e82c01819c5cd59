package io.ringkernel.conformance;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;

@Tag("every-platform")
class CpuEventDrivenConformanceTests extends BackendConformanceTests {

	@Override
	protected BackendProvider provider() {
		return new CpuBackendProvider();
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CPU, ExecutionMode.EVENT_DRIVEN, Transport.DIRECT);
	}

	@Override
	protected TestKernels kernels() {
		return new CpuTestKernels();
	}

}
