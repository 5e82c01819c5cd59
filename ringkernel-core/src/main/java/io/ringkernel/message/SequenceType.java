package io.ringkernel.message;

import java.util.function.Function;

import io.ringkernel.message.buffer.MessageBuffer;

/**
 * An array or a string. One of variable length is {@code struct { uint32_t offset;
 * uint32_t length; }} in the struct, its elements after the message's fixed block; the
 * elements of the others are in the struct.
 *
 * @param limit the number of elements; the most of them if the length varies
 * @param variable whether the length varies
 */
record SequenceType(ElementType element, int limit, boolean variable) implements FieldType {

	@Override
	public int size() {
		return this.variable ? 2 * Integer.BYTES : this.limit * this.element.size();
	}

	@Override
	public int alignment() {
		return this.variable ? Integer.BYTES : this.element.alignment();
	}

	@Override
	public long extend(long end) {
		return this.variable
				? LayoutBuilder.aligned(end, MessageBuffer.ALIGNMENT) + (long) this.limit * this.element.size() : end;
	}

	@Override
	public Codec codec(Site site, Function<RecordCodec, Codec> records) {
		return new SequenceCodec(site, this.element.type(), this.element.size(), this.limit, this.variable,
				this.element.elementCodec(site.element(), records));
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, this.element.kind(), this.variable ? Field.Shape.VARIABLE : Field.Shape.FIXED, false,
				this.element.type(), offset, size(), alignment(), this.limit, this.element.fields());
	}

}
