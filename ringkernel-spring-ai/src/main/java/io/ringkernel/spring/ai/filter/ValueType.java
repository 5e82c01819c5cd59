package io.ringkernel.spring.ai.filter;

/**
 * What a value is, as far as comparisons go. Values of different types are not equal, and
 * none is less than the other.
 */
enum ValueType {

	/** A number of any Java type, compared by its exact value. */
	NUMBER,

	/** A truth value; {@code false} is less than {@code true}. */
	BOOLEAN,

	/** A moment, to the nanosecond. */
	DATE,

	/** Text, compared by its UTF-16 code units as {@link String#compareTo}. */
	STRING,

	/** A list or a map: as a whole it is equal to nothing. */
	COMPOSITE

}
