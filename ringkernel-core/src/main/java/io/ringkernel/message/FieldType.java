package io.ringkernel.message;

import java.util.function.Function;

/**
 * The type of a component: its place in a struct, and the codec of its values.
 */
sealed interface FieldType permits PrimitiveType, EnumType, FixedArrayType, VariableType, RecordType, OptionalType {

	Class<?> javaType();

	int size();

	int alignment();

	/**
	 * Returns the largest end of a message in which this is added at {@code end}.
	 */
	default long extend(long end) {
		return end;
	}

	/**
	 * Returns the codec of the value that lies at a site.
	 * @param records makes the codec of a record of what it consists of
	 */
	Codec codec(Site site, Function<RecordCodec, Codec> records);

	Field field(String name, int offset);

}
