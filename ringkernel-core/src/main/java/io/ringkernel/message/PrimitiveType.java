package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The primitive types, each as long as in C and naturally aligned.
 */
enum PrimitiveType implements FieldType, ElementType {

	BOOLEAN(boolean.class, Field.Kind.BOOLEAN, 1, BooleanElements::new),
	BYTE(byte.class, Field.Kind.BYTE, Byte.BYTES,
			new PrimitiveElements<>(byte[]::new, (a) -> a.length, MessageBuffer::put, MessageBuffer::get)),
	SHORT(short.class, Field.Kind.SHORT, Short.BYTES,
			new PrimitiveElements<>(short[]::new, (a) -> a.length, MessageBuffer::put, MessageBuffer::get)),
	CHAR(char.class, Field.Kind.CHAR, Character.BYTES,
			new PrimitiveElements<>(char[]::new, (a) -> a.length, MessageBuffer::put, MessageBuffer::get)),
	INT(int.class, Field.Kind.INT, Integer.BYTES,
			new PrimitiveElements<>(int[]::new, (a) -> a.length, MessageBuffer::put, MessageBuffer::get)),
	LONG(long.class, Field.Kind.LONG, Long.BYTES,
			new PrimitiveElements<>(long[]::new, (a) -> a.length, MessageBuffer::put, MessageBuffer::get)),
	FLOAT(float.class, Field.Kind.FLOAT, Float.BYTES,
			new PrimitiveElements<>(float[]::new, (a) -> a.length, MessageBuffer::put, MessageBuffer::get)),
	DOUBLE(double.class, Field.Kind.DOUBLE, Double.BYTES,
			new PrimitiveElements<>(double[]::new, (a) -> a.length, MessageBuffer::put, MessageBuffer::get));

	private final Class<?> type;

	private final Field.Kind kind;

	private final int size;

	private final Function<Site, Elements<?>> elements;

	PrimitiveType(Class<?> type, Field.Kind kind, int size, Elements<?> elements) {
		this(type, kind, size, (site) -> elements);
	}

	PrimitiveType(Class<?> type, Field.Kind kind, int size, Function<Site, Elements<?>> elements) {
		this.type = type;
		this.kind = kind;
		this.size = size;
		this.elements = elements;
	}

	static PrimitiveType of(Class<?> type) {
		for (PrimitiveType primitive : values()) {
			if (primitive.type == type) {
				return primitive;
			}
		}
		throw new IllegalArgumentException(type + " is not a primitive value type");
	}

	@Override
	public Field.Kind kind() {
		return this.kind;
	}

	@Override
	public Class<?> type() {
		return this.type;
	}

	@Override
	public Class<?> javaType() {
		return this.type;
	}

	@Override
	public Class<?> sequenceType() {
		return this.type.arrayType();
	}

	@Override
	public int size() {
		return this.size;
	}

	@Override
	public int alignment() {
		return this.size;
	}

	@Override
	public int elementSize() {
		return this.size;
	}

	@Override
	public int elementAlignment() {
		return this.size;
	}

	@Override
	public boolean measured() {
		return false;
	}

	@Override
	public Elements<?> elements(Site site) {
		return this.elements.apply(site);
	}

	@Override
	public MethodHandle measurer(Site site) {
		return MethodHandles.dropArguments(MethodHandles.identity(int.class), 1, this.type);
	}

	@Override
	public MethodHandle writer(Site site) {
		return Handles.bind(new PrimitiveCodec(site), "write", Handles.writerType(this.type));
	}

	@Override
	public MethodHandle reader(Site site) {
		String method = "read" + name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
		return Handles.bind(new PrimitiveCodec(site), method, Handles.readerType(this.type));
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, this.kind, Field.Shape.SINGLE, false, this.type, offset, this.size, this.size, 1,
				List.of());
	}

}
