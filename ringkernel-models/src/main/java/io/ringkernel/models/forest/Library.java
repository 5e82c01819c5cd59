package io.ringkernel.models.forest;

/**
 * The library that a forest comes from, and that says what it predicts to the bit.
 *
 * @since 0.2.0
 */
public enum Library {

	/** Adds the leaves in single precision. A category below 0 is in no set. */
	XGBOOST,

	/**
	 * Adds the leaves in double precision. Categories are cut off towards 0, so -0.5 is
	 * category 0.
	 */
	LIGHTGBM

}
