package io.ringkernel.compiler.ir;

/**
 * Computes a value from one or two operands of its type. Division and remainder are not
 * defined for a divisor of 0 or -1, shifts for a distance beyond the width.
 *
 * @since 0.2.0
 */
public enum Operator {

	ADD, SUB, MUL, DIV, REM, AND, OR, XOR, SHL,

	/** Shifted to the right, with the sign. */
	SHR,

	/** Shifted to the right, with zeros. */
	USHR,

	/** The lesser; of floating-point numbers, the one that is a number. */
	MIN,

	/** The greater; of floating-point numbers, the one that is a number. */
	MAX,

	/** This and all that follow are of one operand. */
	NEG, ABS,

	/** The square root, correctly rounded. */
	SQRT,

	FLOOR, CEIL,

	/** The nearest whole number, ties to even. */
	RINT,

	/** The bits from the last to the first. */
	REVERSE,

	/** The number of bits that are set, as an {@code int}. */
	POPULATION,

	/** The number of leading zeros, as an {@code int}. */
	LEADING_ZEROS,

	/** Of an address: whether it leads to shared memory, as a predicate. */
	IS_SHARED

}
