package io.ringkernel.spring.ai.index;

import io.ringkernel.spring.ai.search.ElementType;

/**
 * The tests of {@link DocumentIndexTests} with vectors that the kernel keeps as bytes.
 */
class Int8DocumentIndexTests extends DocumentIndexTests {

	@Override
	ElementType elementType() {
		return ElementType.INT8;
	}

	/** Each has a scale of 1, so that nothing is rounded. */
	@Override
	float[] vector() {
		float[] vector = super.vector();
		vector[0] = Byte.MAX_VALUE;
		return vector;
	}

}
