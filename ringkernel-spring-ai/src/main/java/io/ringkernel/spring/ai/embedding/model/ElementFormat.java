package io.ringkernel.spring.ai.embedding.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.spring.ai.search.Half;

/**
 * As what a file holds the elements of a tensor, all in little-endian order.
 */
enum ElementFormat {

	FLOAT32(Float.BYTES) {
		@Override
		float element(ByteBuffer data, int index) {
			return data.getFloat(index * Float.BYTES);
		}
	},

	FLOAT16(Short.BYTES) {
		@Override
		float element(ByteBuffer data, int index) {
			return Half.value(data.getShort(index * Short.BYTES));
		}
	},

	/** The upper half of a float. */
	BFLOAT16(Short.BYTES) {
		@Override
		float element(ByteBuffer data, int index) {
			return Float.intBitsToFloat(data.getShort(index * Short.BYTES) << Short.SIZE);
		}
	},

	INT8(Byte.BYTES) {
		@Override
		float element(ByteBuffer data, int index) {
			return data.get(index);
		}
	},

	UINT8(Byte.BYTES) {
		@Override
		float element(ByteBuffer data, int index) {
			return Byte.toUnsignedInt(data.get(index));
		}
	},

	INT64(Long.BYTES) {
		@Override
		float element(ByteBuffer data, int index) {
			return data.getLong(index * Long.BYTES);
		}
	};

	private final int bytes;

	ElementFormat(int bytes) {
		this.bytes = bytes;
	}

	/** The size of an element. */
	int bytes() {
		return this.bytes;
	}

	abstract float element(ByteBuffer data, int index);

	/** All elements of a tensor. */
	float[] elements(ByteBuffer data) {
		ByteBuffer ordered = data.slice().order(ByteOrder.LITTLE_ENDIAN);
		float[] elements = new float[ordered.remaining() / this.bytes];
		for (int i = 0; i < elements.length; i++) {
			elements[i] = element(ordered, i);
		}
		return elements;
	}

}
