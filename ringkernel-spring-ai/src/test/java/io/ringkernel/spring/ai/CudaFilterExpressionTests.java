package io.ringkernel.spring.ai;

import io.ringkernel.platform.BackendKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The same expressions, evaluated by a kernel on a CUDA device.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
class CudaFilterExpressionTests extends FilterExpressionTests {

	@Override
	BackendKind backend() {
		return BackendKind.CUDA;
	}

}
