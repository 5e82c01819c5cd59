package io.ringkernel.compiler.ir;

/**
 * What a register holds.
 *
 * @since 0.2.0
 */
public enum RegisterType {

	/** A Java {@code int}, and all that Java computes as one. */
	INT,
	/** A Java {@code long}. */
	LONG,
	/** A Java {@code float}. */
	FLOAT,
	/** A Java {@code double}. */
	DOUBLE,
	/** An address of the device. */
	ADDRESS,
	/** What a comparison gives. */
	PREDICATE;

	/** Whether it is a floating-point number. */
	public boolean isFloating() {
		return this == FLOAT || this == DOUBLE;
	}

}
