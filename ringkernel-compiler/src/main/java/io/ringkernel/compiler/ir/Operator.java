package io.ringkernel.compiler.ir;

/**
 * Computes a value from one or two operands of its type. Division and remainder are not
 * defined for a divisor of 0 or -1, shifts for a distance beyond the width.
 *
 * @since 0.2.0
 */
public enum Operator {

	/** The sum. */
	ADD,
	/** The difference. */
	SUB,
	/** The product. */
	MUL,
	/** The quotient. */
	DIV,
	/** The remainder. */
	REM,
	/** The bits that both have. */
	AND,
	/** The bits that either has. */
	OR,
	/** The bits that one of them has. */
	XOR,
	/** Shifted to the left. */
	SHL,
	/** Shifted to the right, with the sign. */
	SHR,
	/** Shifted to the right, with zeros. */
	USHR,
	/** The lesser; of floating-point numbers, the one that is a number. */
	MIN,
	/** The greater; of floating-point numbers, the one that is a number. */
	MAX,
	/** Of one operand: its negative. */
	NEG,
	/** Of one operand: its absolute value. */
	ABS,
	/** Of one operand: its square root, correctly rounded. */
	SQRT,
	/** Of one operand: the greatest whole number that is not greater. */
	FLOOR,
	/** Of one operand: the least whole number that is not less. */
	CEIL,
	/** Of one operand: the nearest whole number, ties to even. */
	RINT,
	/** Of one operand: its bits from the last to the first. */
	REVERSE,
	/** Of one operand: the number of bits that are set, as an {@code int}. */
	POPULATION,
	/** Of one operand: the number of leading zeros, as an {@code int}. */
	LEADING_ZEROS,
	/** Of an address: whether it leads to shared memory, as a predicate. */
	IS_SHARED

}
