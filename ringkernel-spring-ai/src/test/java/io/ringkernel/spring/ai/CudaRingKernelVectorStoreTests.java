package io.ringkernel.spring.ai;

import io.ringkernel.platform.BackendKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The tests of {@link RingKernelVectorStore}, and so those of every store of Spring AI,
 * with a kernel on a CUDA device.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
class CudaRingKernelVectorStoreTests extends RingKernelVectorStoreTests {

	@Override
	BackendKind backend() {
		return BackendKind.CUDA;
	}

}
