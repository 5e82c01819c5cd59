package io.ringkernel.compiler.ir;

/**
 * What a register holds.
 *
 * @since 0.2.0
 */
public enum RegisterType {

	/** A Java {@code int}, and all that Java computes as one. */
	INT, LONG, FLOAT, DOUBLE,

	/** An address of the device. */
	ADDRESS,

	/** What a comparison gives. */
	PREDICATE;

	public boolean isFloating() {
		return this == FLOAT || this == DOUBLE;
	}

}
