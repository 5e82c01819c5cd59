package io.ringkernel.compiler.ir;

/**
 * Compares two operands of a type.
 *
 * @since 0.2.0
 */
public enum Comparison {

	EQ, NE, LT, LE, GT, GE,

	/** Less, as unsigned integers. */
	BELOW,

	/** Greater or equal, as unsigned integers. */
	NOT_BELOW;

	/** Whether a number compares so with zero; not defined for unsigned comparisons. */
	public boolean holds(int number) {
		return switch (this) {
			case EQ -> number == 0;
			case NE -> number != 0;
			case LT -> number < 0;
			case LE -> number <= 0;
			case GT -> number > 0;
			case GE -> number >= 0;
			case BELOW, NOT_BELOW -> throw new IllegalArgumentException(this + " is no comparison with zero");
		};
	}

}
