package io.ringkernel.spring.ai.embedding.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.spring.ai.search.Half;

/**
 * As what a file holds the elements of a tensor, all in little-endian order.
 */
enum ElementFormat {

	FLOAT32(Float.BYTES, (data, index) -> data.getFloat(index * Float.BYTES)),

	FLOAT16(Short.BYTES, (data, index) -> Half.value(data.getShort(index * Short.BYTES))),

	/** The upper half of a float. */
	BFLOAT16(Short.BYTES, (data, index) -> Float.intBitsToFloat(data.getShort(index * Short.BYTES) << Short.SIZE)),

	INT8(Byte.BYTES, ByteBuffer::get),

	UINT8(Byte.BYTES, (data, index) -> Byte.toUnsignedInt(data.get(index))),

	INT64(Long.BYTES, (data, index) -> data.getLong(index * Long.BYTES));

	private final int bytes;

	@SuppressWarnings("ImmutableEnumChecker") // A reader has no state.
	private final Reader reader;

	ElementFormat(int bytes, Reader reader) {
		this.bytes = bytes;
		this.reader = reader;
	}

	int bytes() {
		return this.bytes;
	}

	float[] elements(ByteBuffer data) {
		ByteBuffer ordered = data.slice().order(ByteOrder.LITTLE_ENDIAN);
		float[] elements = new float[ordered.remaining() / this.bytes];
		for (int i = 0; i < elements.length; i++) {
			elements[i] = this.reader.element(ordered, i);
		}
		return elements;
	}

	@FunctionalInterface
	private interface Reader {

		float element(ByteBuffer data, int index);

	}

}
