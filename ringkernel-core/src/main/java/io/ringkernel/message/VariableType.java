package io.ringkernel.message;

import java.util.function.Function;

import io.ringkernel.message.buffer.MessageBuffer;

/**
 * An array of variable length, or a string: {@code struct { uint32_t offset; uint32_t
 * length; }} in the struct, the elements after the message's fixed block.
 *
 * @param element what it is made of
 * @param capacity the most elements
 */
record VariableType(ElementType element, int capacity) implements FieldType {

	static final int SIZE = 2 * Integer.BYTES;

	@Override
	public Class<?> javaType() {
		return this.element.sequenceType();
	}

	@Override
	public int size() {
		return SIZE;
	}

	@Override
	public int alignment() {
		return Integer.BYTES;
	}

	@Override
	public long extend(long end) {
		return LayoutBuilder.aligned(end, MessageBuffer.ALIGNMENT) + (long) this.capacity * this.element.elementSize();
	}

	@Override
	public Codec codec(Site site, Function<RecordCodec, Codec> records) {
		return new SequenceCodec(site, this.element.type(), this.element.elementSize(), this.capacity, true,
				this.element.elementCodec(site.element(), records));
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, this.element.kind(), Field.Shape.VARIABLE, false, this.element.type(), offset, SIZE,
				alignment(), this.capacity, this.element.fields());
	}

}
