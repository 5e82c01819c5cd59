package io.ringkernel.compiler.pass;

/**
 * What an {@code int} may be: from the least to the greatest value.
 */
record Range(long least, long greatest) {

	static final Range ANY = new Range(Integer.MIN_VALUE, Integer.MAX_VALUE);

	static Range of(long value) {
		return new Range(value, value);
	}

	/** Either of both. */
	Range or(Range other) {
		return new Range(Math.min(this.least, other.least), Math.max(this.greatest, other.greatest));
	}

	Range plus(Range other) {
		return unlessItOverflows(this.least + other.least, this.greatest + other.greatest);
	}

	Range minus(Range other) {
		return unlessItOverflows(this.least - other.greatest, this.greatest - other.least);
	}

	Range times(Range other) {
		long one = this.least * other.least;
		long two = this.least * other.greatest;
		long three = this.greatest * other.least;
		long four = this.greatest * other.greatest;
		return unlessItOverflows(Math.min(Math.min(one, two), Math.min(three, four)),
				Math.max(Math.max(one, two), Math.max(three, four)));
	}

	/** A quotient is no farther from 0 than the dividend, unless that has no negative. */
	Range dividedBy(Range other) {
		if (other.least > 0) {
			return new Range(Math.min(this.least / other.least, this.least / other.greatest),
					Math.max(this.greatest / other.least, this.greatest / other.greatest));
		}
		long distance = Math.max(Math.abs(this.least), Math.abs(this.greatest));
		return unlessItOverflows(-distance, distance);
	}

	/** A remainder has the sign of the dividend, and is nearer to 0 than the divisor. */
	Range remainderOf(Range other) {
		long distance = Math.max(Math.abs(other.least), Math.abs(other.greatest)) - 1;
		return new Range((this.least < 0) ? Math.max(this.least, -distance) : 0,
				(this.greatest > 0) ? Math.min(this.greatest, distance) : 0);
	}

	Range min(Range other) {
		return new Range(Math.min(this.least, other.least), Math.min(this.greatest, other.greatest));
	}

	Range max(Range other) {
		return new Range(Math.max(this.least, other.least), Math.max(this.greatest, other.greatest));
	}

	/** The bits that both have. */
	Range and(Range other) {
		if (this.least < 0 && other.least < 0) {
			return ANY;
		}
		return new Range(0, (this.least < 0) ? other.greatest
				: (other.least < 0) ? this.greatest : Math.min(this.greatest, other.greatest));
	}

	/** Shifted to the right by as many bits. */
	Range shifted(int bits) {
		return new Range(this.least >> bits, this.greatest >> bits);
	}

	/** Shifted to the right by as many bits, the sign among them. */
	Range shiftedWithSign(int bits) {
		return (this.least >= 0 || bits == 0) ? shifted(bits) : new Range(0, 0xffff_ffffL >>> bits);
	}

	private static Range unlessItOverflows(long least, long greatest) {
		return (least < Integer.MIN_VALUE || greatest > Integer.MAX_VALUE) ? ANY : new Range(least, greatest);
	}

}
