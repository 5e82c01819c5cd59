package io.ringkernel.spring.ai.search;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The tests of {@link CudaVectorSearchTests} with vectors that are kept as halves.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
class CudaFloat16VectorSearchTests extends CudaVectorSearchTests {

	@Override
	ElementType elementType() {
		return ElementType.FLOAT16;
	}

}
