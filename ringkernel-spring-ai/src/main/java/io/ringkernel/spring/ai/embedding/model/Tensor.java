package io.ringkernel.spring.ai.embedding.model;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A tensor as a file holds it, the last dimension without gaps. A scalar has no
 * dimensions.
 */
record Tensor(String name, int[] dimensions, ElementFormat format, ByteBuffer data) {

	Tensor {
		long elements = Arrays.stream(dimensions).asLongStream().reduce(1, Math::multiplyExact);
		if (elements < 0 || elements * format.bytes() != data.remaining()) {
			throw new InvalidEncoderException(
					"%s has %d bytes. Its dimensions %s take %d elements of %d bytes; the file may be truncated."
						.formatted(name, data.remaining(), Arrays.toString(dimensions), elements, format.bytes()));
		}
	}

	float[] elements() {
		return this.format.elements(this.data);
	}

	/** What quantized elements stand for, by one scale for all or one for each column. */
	float[] dequantized(float[] scale, float[] zero) {
		float[] elements = elements();
		int columns = (this.dimensions.length > 0) ? this.dimensions[this.dimensions.length - 1] : 1;
		for (float[] each : new float[][] { scale, zero }) {
			if (each.length != 1 && each.length != columns) {
				throw new InvalidEncoderException(
						"%s has %d scales or zero points. Take a model that has one, or one for each of the %d columns."
							.formatted(this.name, each.length, columns));
			}
		}
		for (int i = 0; i < elements.length; i++) {
			int column = i % columns;
			elements[i] = (elements[i] - zero[(zero.length > 1) ? column : 0]) * scale[(scale.length > 1) ? column : 0];
		}
		return elements;
	}

}
