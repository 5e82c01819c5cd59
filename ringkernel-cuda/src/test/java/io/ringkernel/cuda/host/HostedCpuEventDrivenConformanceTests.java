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
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("every-platform")
class HostedCpuEventDrivenConformanceTests extends PlatformConformanceTests {

	@RegisterExtension
	static final KeptHost HOST = new KeptHost(
			new KernelHostProvider(new CpuBackendProvider(), CpuHostMain.class, HostOptions.DEFAULTS),
			new PlanRequest(BackendKind.CPU, ExecutionMode.EVENT_DRIVEN, Transport.DIRECT));

	@Override
	protected BackendProvider provider() {
		return HOST.provider();
	}

	@Override
	protected PlanRequest plan() {
		return HOST.plan();
	}

	@Override
	protected TestKernels kernels() {
		return new CpuTestKernels();
	}

}
