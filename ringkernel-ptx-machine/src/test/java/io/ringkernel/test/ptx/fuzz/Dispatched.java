package io.ringkernel.test.ptx.fuzz;

import io.ringkernel.RingKernelHandler;

/**
 * What generated handlers call of objects that decide which method runs.
 */
public final class Dispatched {

	private Dispatched() {
	}

	/**
	 * What the classes of generated handlers extend.
	 */
	public abstract static class Base implements RingKernelHandler<Input, Output> {

		private int hidden(int value) {
			return value + 10;
		}

		/** What generated handlers override. */
		public int cost(int value) {
			return hidden(value) ^ 5;
		}

		/** What calls what they override. */
		public int twice(int value) {
			return cost(cost(value)) + hidden(value);
		}

	}

	/**
	 * A function with methods of its own.
	 */
	public interface Applied {

		/** The body. */
		int apply(int value);

		/** Two times. */
		default int twice(int value) {
			return apply(apply(value) ^ 3);
		}

		/** Another function. */
		default Applied then(Applied next) {
			return (value) -> next.apply(hidden(value));
		}

		private int hidden(int value) {
			return apply(value) - 1;
		}

	}

	/**
	 * A function whose body is not what runs.
	 */
	public interface Shifted extends Applied {

		/** The body. */
		int body(int value);

		@Override
		default int apply(int value) {
			return Math.max(body(value), -value);
		}

	}

	/**
	 * Constants of which some have a body.
	 */
	public enum Op implements Applied {

		ADD(2, 0.5, "+", 1, 2) {
			@Override
			public int apply(int value) {
				return value + 7;
			}
		},
		MUL(-3, Double.NaN, "times", 0, 9, 8), CHECK(Integer.MAX_VALUE, -0.0, "", 5, 6) {
			@Override
			public int apply(int value) {
				if ((value & 63) == 9) {
					throw new IllegalStateException("nine");
				}
				return super.apply(value) - 1;
			}

			@Override
			public int twice(int value) {
				return -apply(value);
			}
		},
		LAST(31, 1e300, "\u00fcber", -1, Integer.MIN_VALUE);

		private final int factor;

		private final double weight;

		private final String sign;

		private final int[] table;

		Op(int factor, double weight, String sign, int... table) {
			this.factor = factor;
			this.weight = weight;
			this.sign = sign;
			this.table = table;
		}

		/** A number. */
		public int factor() {
			return this.factor;
		}

		/** A real number. */
		public double weight() {
			return this.weight;
		}

		/** A text. */
		public String sign() {
			return this.sign;
		}

		/** At least two numbers. */
		public int[] table() {
			return this.table;
		}

		@Override
		public int apply(int value) {
			return value * 3;
		}

	}

	/**
	 * A record that replaces a default method.
	 */
	public record Plus(int by) implements Applied {

		@Override
		public int apply(int value) {
			return value + this.by;
		}

		@Override
		public int twice(int value) {
			return value - this.by;
		}

	}

	/**
	 * A record that does not.
	 */
	public record Minus(int by) implements Applied {

		@Override
		public int apply(int value) {
			return value - this.by;
		}

	}

}
