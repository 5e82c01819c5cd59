package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.util.List;

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
	private Codec codec(Site site) {
		return new Codec(site, this.length, (Elements<Object>) this.element.elements(site));
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, this.element.kind(), Field.Shape.FIXED, false, this.element.type(), offset, size(),
				alignment(), this.length, this.element.fields());
	}

	/**
	 * Moves one array.
	 */
	record Codec(Site site, int length, Elements<Object> elements) {

		int measure(int end, Object array) throws Throwable {
			int count = this.elements.count(array);
			if (count != this.length) {
				throw this.site.invalid("has " + count + " elements; @Length requires exactly " + this.length
						+ ": fill the array up, or declare it with @Capacity");
			}
			return end;
		}

		int write(int end, Object array, MessageBuffer target, int at) throws Throwable {
			int sameEnd = measure(end, array);
			this.elements.put(array, target, at + this.site.offset());
			return sameEnd;
		}

		Object read(MessageBuffer source, int at, int messageLength) throws Throwable {
			return this.elements.get(source, at + this.site.offset(), this.length);
		}

	}

}
