package io.ringkernel.cuda.host;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.conformance.PlatformConformanceTests;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Tag;

@Tag("every-platform")
class HostedCpuEventDrivenConformanceTests extends PlatformConformanceTests {

	@Override
	protected BackendProvider provider() {
		return new KernelHostProvider(new CpuBackendProvider(), CpuHostMain.class, HostOptions.DEFAULTS);
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
