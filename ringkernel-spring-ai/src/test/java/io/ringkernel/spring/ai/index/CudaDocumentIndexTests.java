package io.ringkernel.spring.ai.index;

import io.ringkernel.platform.BackendKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The tests of {@link DocumentIndex} with a kernel on a CUDA device, whose rows take
 * several blocks of its memory.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
class CudaDocumentIndexTests extends DocumentIndexTests {

	@Override
	BackendKind backend() {
		return BackendKind.CUDA;
	}

}
