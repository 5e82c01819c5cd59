package io.ringkernel.message;

import java.util.List;
import java.util.function.Function;

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
	public int size() {
		return this.size;
	}

	@Override
	public int alignment() {
		return this.size;
	}

	@Override
	public Codec codec(Site site, Function<RecordCodec, Codec> records) {
		return new PrimitiveCodec(site, this);
	}

	@Override
	public Field field(String name, int offset) {
		return new Field(name, this.kind, Field.Shape.SINGLE, false, this.type, offset, this.size, this.size, 1,
				List.of());
	}

}
