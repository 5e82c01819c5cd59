package io.ringkernel.conformance;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

class CpuPersistentConformanceTests extends BackendConformanceTests {

	@Override
	protected BackendProvider provider() {
		return new CpuBackendProvider();
	}

	@Override
	protected PlanRequest plan() {
		return new PlanRequest(BackendKind.CPU, ExecutionMode.PERSISTENT, Transport.DIRECT);
	}

	@Override
	protected TestKernels kernels() {
		return new CpuTestKernels();
	}

}
