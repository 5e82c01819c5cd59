package io.ringkernel.compiler.ir;

/**
 * Converts a value from one type to another. What a floating-point number that is no
 * number becomes as an integer is not defined.
 *
 * @since 0.2.0
 */
public enum Conversion {

	/** An {@code int} to its low byte. */
	TO_BYTE,
	/** An {@code int} to its low 16 bits, unsigned. */
	TO_CHAR,
	/** An {@code int} to its low 16 bits, signed. */
	TO_SHORT,
	/** To the number that is nearest, towards zero from a fraction, as Java does. */
	NUMERIC,
	/** To the number with the same bits. */
	BITS,
	/** An {@code int} to a distance between addresses, unsigned. */
	OFFSET

}
