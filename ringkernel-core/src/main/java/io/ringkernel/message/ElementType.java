package io.ringkernel.message;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What arrays and strings are made of.
 */
sealed interface ElementType permits PrimitiveType, RecordType, StringType {

	Field.Kind kind();

	/**
	 * The type of one element.
	 */
	Class<?> type();

	/**
	 * The type of all elements together: an array, or {@link String}.
	 */
	Class<?> sequenceType();

	int elementSize();

	int elementAlignment();

	/**
	 * The members of one element, if it is a record.
	 */
	default List<Field> fields() {
		return List.of();
	}

	/**
	 * Returns the codec of one element, if it is a record.
	 */
	default @Nullable Codec elementCodec(Site site, Function<RecordCodec, Codec> records) {
		return null;
	}

}
