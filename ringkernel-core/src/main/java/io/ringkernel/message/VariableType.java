package io.ringkernel.message;

import java.lang.invoke.MethodHandle;

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
	public MethodHandle measurer(Site site) {
		return Handles.bind(codec(site), "measure", Handles.MEASURER).asType(Handles.measurerType(javaType()));
	}

	@Override
	public MethodHandle writer(Site site) {
		return Handles.bind(codec(site), "write", Handles.WRITER).asType(Handles.writerType(javaType()));
	}

	@Override
	public MethodHandle reader(Site site) {
		return Handles.bind(codec(site), "read", Handles.READER).asType(Handles.readerType(javaType()));
	}

	@SuppressWarnings("unchecked")
	private VariableCodec codec(Site site) {
		return new VariableCodec(site, this.capacity, this.element.elementSize(), this.element.unit(),
				(Elements<Object>) this.element.elements(site));
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, this.element.kind(), Field.Shape.VARIABLE, false, this.element.type(), offset, SIZE,
				alignment(), this.capacity, this.element.fields());
	}

}
