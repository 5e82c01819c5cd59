package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Locale;

/**
 * The primitive types, each as long as in C and naturally aligned.
 */
enum PrimitiveType implements FieldType, ElementType {

	BOOLEAN(boolean.class, Field.Kind.BOOLEAN, 1),

	BYTE(byte.class, Field.Kind.BYTE, Byte.BYTES),

	SHORT(short.class, Field.Kind.SHORT, Short.BYTES),

	CHAR(char.class, Field.Kind.CHAR, Character.BYTES),

	INT(int.class, Field.Kind.INT, Integer.BYTES),

	LONG(long.class, Field.Kind.LONG, Long.BYTES),

	FLOAT(float.class, Field.Kind.FLOAT, Float.BYTES),

	DOUBLE(double.class, Field.Kind.DOUBLE, Double.BYTES);

	private final Class<?> type;

	private final Field.Kind kind;

	private final int size;

	PrimitiveType(Class<?> type, Field.Kind kind, int size) {
		this.type = type;
		this.kind = kind;
		this.size = size;
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
		return switch (this) {
			case BOOLEAN -> new BooleanElements(site);
			case BYTE -> PrimitiveElements.BYTES;
			case SHORT -> PrimitiveElements.SHORTS;
			case CHAR -> PrimitiveElements.CHARS;
			case INT -> PrimitiveElements.INTS;
			case LONG -> PrimitiveElements.LONGS;
			case FLOAT -> PrimitiveElements.FLOATS;
			case DOUBLE -> PrimitiveElements.DOUBLES;
		};
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
