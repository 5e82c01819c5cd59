package io.ringkernel.benchmarks.gpu;

import io.ringkernel.Capacity;

/**
 * The messages of the curve from 16 bytes to 16 MiB.
 */
final class CurveMessages {

	/** Numbers of a message: 16 MiB. */
	static final int CAPACITY = 4 << 20;

	private CurveMessages() {
	}

	record Numbers(@Capacity(CAPACITY) float[] values) {
	}

	record Ends(float first, float last, int count, int reserved) {

		static Ends of(Numbers numbers) {
			float[] values = numbers.values();
			return new Ends(values[0], values[values.length - 1], values.length, 0);
		}

	}

	record Wanted(int count, float first) {
	}

	static Numbers filled(Wanted wanted) {
		float[] values = new float[wanted.count()];
		for (int i = 0; i < values.length; i++) {
			values[i] = wanted.first() + i;
		}
		return new Numbers(values);
	}

	static Numbers raised(Numbers numbers) {
		float[] values = numbers.values().clone();
		for (int i = 0; i < values.length; i++) {
			values[i] += 1;
		}
		return new Numbers(values);
	}

}
