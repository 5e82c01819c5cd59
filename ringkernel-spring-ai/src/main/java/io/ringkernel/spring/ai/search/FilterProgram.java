package io.ringkernel.spring.ai.search;

import java.util.Arrays;

/**
 * Which rows a search considers: instructions for a machine whose stack holds truth
 * values, one bit for each row of a block. The result is what remains on the stack.
 * <p>
 * A code is a {@link Builder instruction} above the 8 bits of a column. {@code RANGE}
 * takes two operands, the lowest and the highest value, and is true of a row whose cell
 * lies between them. A cell without a value is {@link #ABSENT}, and so in no range.
 * <p>
 * A device runs the same instructions in {@code native/kernels/vectors/row_filter.cuh}.
 *
 * @param codes the instructions; at most {@link VectorSearchRequest#MAX_CODES}. None
 * stands for all rows
 * @param operands the operands of all {@code RANGE}s, one pair after another
 * @since 0.2.0
 */
public record FilterProgram(int[] codes, long[] operands) {

	/** What a cell without a value holds: below every range. */
	public static final long ABSENT = Long.MIN_VALUE;

	/** The lowest value that a cell may have. */
	public static final long LOWEST = ABSENT + 1;

	/** How deep the stack is. */
	public static final int MAX_DEPTH = 64;

	/** Considers all rows. */
	public static final FilterProgram EVERYTHING = new FilterProgram(new int[0], new long[0]);

	private static final int RANGE = 0;

	private static final int AND = 1;

	private static final int OR = 2;

	private static final int NOT = 3;

	private static final int TRUE = 4;

	private static final int FALSE = 5;

	/** A bit for each row of a block that matches, the first one in the lowest bit. */
	long matches(RowBlock block) {
		if (this.codes.length == 0) {
			return -1L;
		}
		long[] stack = new long[MAX_DEPTH];
		int depth = 0;
		int operand = 0;
		for (int code : this.codes) {
			switch (code >>> 8) {
				case RANGE -> {
					stack[depth++] = block.range(code & 0xff, this.operands[operand], this.operands[operand + 1]);
					operand += 2;
				}
				case AND -> {
					depth--;
					stack[depth - 1] &= stack[depth];
				}
				case OR -> {
					depth--;
					stack[depth - 1] |= stack[depth];
				}
				case NOT -> stack[depth - 1] = ~stack[depth - 1];
				case TRUE -> stack[depth++] = -1L;
				case FALSE -> stack[depth++] = 0;
				default -> throw new IllegalArgumentException("%d is no instruction".formatted(code >>> 8));
			}
		}
		return stack[0];
	}

	/**
	 * Writes a program, operands first.
	 *
	 * @since 0.2.0
	 */
	public static final class Builder {

		private final int[] codes = new int[VectorSearchRequest.MAX_CODES];

		private final long[] operands = new long[VectorSearchRequest.MAX_CODES];

		private int size;

		private int operandCount;

		private int depth;

		private boolean full;

		/**
		 * Creates a builder of an empty program.
		 */
		public Builder() {
		}

		/**
		 * Pushes whether a cell lies in a range.
		 * @param column the column of the cell
		 * @param low the lowest value
		 * @param high the highest value
		 */
		public void range(int column, long low, long high) {
			if (this.operandCount + 2 > this.operands.length) {
				this.full = true;
				return;
			}
			this.operands[this.operandCount++] = low;
			this.operands[this.operandCount++] = high;
			push(RANGE << 8 | column, 1);
		}

		/**
		 * Replaces the two upper values by whether both are true.
		 */
		public void and() {
			push(AND << 8, -1);
		}

		/**
		 * Replaces the two upper values by whether one is true.
		 */
		public void or() {
			push(OR << 8, -1);
		}

		/**
		 * Negates the upper value.
		 */
		public void not() {
			push(NOT << 8, 0);
		}

		/**
		 * Pushes a value that is the same for all rows.
		 * @param value the value
		 */
		public void constant(boolean value) {
			push((value ? TRUE : FALSE) << 8, 1);
		}

		private void push(int code, int growth) {
			if (this.size == this.codes.length || this.depth + growth > MAX_DEPTH) {
				this.full = true;
				return;
			}
			this.codes[this.size++] = code;
			this.depth += growth;
		}

		/**
		 * Ends the program.
		 * @return the program; {@link FilterProgram#EVERYTHING} if it is longer or deeper
		 * than the kernel takes
		 */
		public FilterProgram build() {
			return this.full ? EVERYTHING : new FilterProgram(Arrays.copyOf(this.codes, this.size),
					Arrays.copyOf(this.operands, this.operandCount));
		}

	}

}
