package io.ringkernel.spring.ai.search;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The tests of {@link CudaVectorSearchTests} with vectors that are kept as bytes.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
class CudaInt8VectorSearchTests extends CudaVectorSearchTests {

	@Override
	ElementType elementType() {
		return ElementType.INT8;
	}

	/** Multiples of 127, so that the scale is 1 and nothing is rounded. */
	@Override
	float[] vector(int elements) {
		float[] vector = super.vector(elements);
		for (int i = 0; i < elements; i++) {
			vector[i] = Math.signum(vector[i]) * Byte.MAX_VALUE;
		}
		return vector;
	}

}
