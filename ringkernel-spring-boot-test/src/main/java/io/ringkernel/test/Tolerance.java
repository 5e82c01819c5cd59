package io.ringkernel.test;

/**
 * How far two floating-point numbers may be apart and yet be taken for the same.
 *
 * @param absolute by how much; 0 or more
 * @param relative by which part of the larger magnitude; from 0 to 1
 */
record Tolerance(double absolute, double relative) {

	static final Tolerance NONE = new Tolerance(0, 0);

	Tolerance {
		if (!(absolute >= 0) || Double.isInfinite(absolute)) {
			throw new IllegalArgumentException(
					"The absolute tolerance is %s. Set it to 0 or a finite number above.".formatted(absolute));
		}
		if (!(relative >= 0 && relative <= 1)) {
			throw new IllegalArgumentException(
					"The relative tolerance is %s. Set it to a number from 0 to 1.".formatted(relative));
		}
	}

	/** NaN is the same as NaN; an infinity only as itself; 0 and -0 are the same. */
	boolean accepts(double expected, double actual) {
		if (expected == actual || (Double.isNaN(expected) && Double.isNaN(actual))) {
			return true;
		}
		// False for a NaN, and for an infinity unless the bound is infinite, too.
		return Double.isFinite(expected) && Double.isFinite(actual)
				&& Math.abs(expected - actual) <= bound(expected, actual);
	}

	/** By how much two numbers may differ. */
	double bound(double expected, double actual) {
		return Math.max(this.absolute, this.relative * Math.max(Math.abs(expected), Math.abs(actual)));
	}

	@Override
	public String toString() {
		return "absolute tolerance %s, relative tolerance %s".formatted(this.absolute, this.relative);
	}

}
