package io.ringkernel.spring.ai.index;

import io.ringkernel.spring.ai.search.ElementType;

/**
 * The tests of {@link DocumentIndexTests} with vectors that the kernel keeps as halves.
 */
class Float16DocumentIndexTests extends DocumentIndexTests {

	@Override
	ElementType elementType() {
		return ElementType.FLOAT16;
	}

}
