package io.ringkernel.message;

import java.util.function.Function;

/**
 * An array of fixed length inside the struct.
 *
 * @param element what it is made of
 * @param length the number of elements
 */
record FixedArrayType(ElementType element, int length) implements FieldType {

	@Override
	public Class<?> javaType() {
		return this.element.sequenceType();
	}

	@Override
	public int size() {
		return this.length * this.element.elementSize();
	}

	@Override
	public int alignment() {
		return this.element.elementAlignment();
	}

	@Override
	public Codec codec(Site site, Function<RecordCodec, Codec> records) {
		return new SequenceCodec(site, this.element.type(), this.element.elementSize(), this.length, false,
				this.element.elementCodec(site.element(), records));
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, this.element.kind(), Field.Shape.FIXED, false, this.element.type(), offset, size(),
				alignment(), this.length, this.element.fields());
	}

}
