package io.ringkernel.sample.validation;

import io.ringkernel.sample.vectoradd.VectorAddRequest;

/** A length of vectors to add. */
enum ValidationCase {

	/** Fits into a ring slot. */
	SMALL(10),
	/** No multiple of a chunk, a line or a warp. */
	BOUNDARY(25),
	/** Beyond what a ring slot holds. */
	LARGE(100),
	/** The longest that is allowed. */
	CAPACITY(VectorAddRequest.MAX_ELEMENTS);

	private final int elements;

	ValidationCase(int elements) {
		this.elements = elements;
	}

	int elements() {
		return this.elements;
	}

	/** The request of a round; its numbers tell its response from that of another. */
	VectorAddRequest request(int round) {
		float[] a = new float[this.elements];
		float[] b = new float[this.elements];
		for (int i = 0; i < this.elements; i++) {
			a[i] = i + 0.5f * round;
			b[i] = 0.25f * i - round;
		}
		return new VectorAddRequest(a, b);
	}

}
