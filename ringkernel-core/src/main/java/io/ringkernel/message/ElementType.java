package io.ringkernel.message;

import java.util.List;

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
	 * What a length counts, for errors.
	 */
	default String unit() {
		return "elements";
	}

	/**
	 * Returns the codec of a sequence of elements that the given site names.
	 */
	Elements<?> elements(Site site);

}
