package io.ringkernel.message;

import java.util.function.Function;

/**
 * The type of a component: its place in a struct, and the codec of its values.
 */
sealed interface FieldType permits PrimitiveType, EnumType, SequenceType, RecordType, OptionalType {

	int size();

	int alignment();

	/** Returns the largest end of a message in which this is added at {@code end}. */
	default long extend(long end) {
		return end;
	}

	/** Returns the codec of the value at a site. The function makes that of a record. */
	Codec codec(Site site, Function<RecordCodec, Codec> records);

	Field field(String name, int offset);

}
