package io.ringkernel.spring.ai.search;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * As many rows as a {@code long} has bits: their vectors one after another, their cells
 * column by column, and when each is visible.
 * <p>
 * Searches and writers run side by side. A search reads the vector and the cells only of
 * rows that are visible at its epoch, and these were written before it was sent.
 */
final class RowBlock {

	static final int ROWS = Long.SIZE;

	/** Retired in no epoch so far. */
	private static final int NEVER = Integer.MAX_VALUE;

	/** Single values are read and written whole, while others are written beside them. */
	private static final VarHandle LIFE = MethodHandles.arrayElementVarHandle(long[].class);

	private final float[] elements;

	/** The epoch that stages a row above that which retires it: 0 if none staged it. */
	private final long[] lives = new long[ROWS];

	/** Replaced when a column is added, so that no search sees one half filled. */
	private volatile long[] @Nullable [] columns = {};

	RowBlock(int dimensions) {
		this.elements = new float[ROWS * dimensions];
	}

	void write(int row, float[] vectors, int offset, int dimensions, ElementType elementType) {
		System.arraycopy(vectors, offset, this.elements, row * dimensions, dimensions);
		elementType.round(this.elements, row * dimensions, dimensions);
		for (long[] column : this.columns) {
			if (column != null) {
				column[row] = FilterProgram.ABSENT;
			}
		}
	}

	void writeCell(int row, int column, long value) {
		cells(column)[row] = value;
	}

	private synchronized long[] cells(int column) {
		long[] @Nullable [] present = this.columns;
		if (column < present.length && present[column] != null) {
			return present[column];
		}
		long[] cells = new long[ROWS];
		Arrays.fill(cells, FilterProgram.ABSENT);
		long[] @Nullable [] more = Arrays.copyOf(present, Math.max(present.length, column + 1));
		more[column] = cells;
		this.columns = more;
		return cells;
	}

	void stage(int row, int epoch) {
		LIFE.setOpaque(this.lives, row, (long) epoch << Integer.SIZE | NEVER);
	}

	void retire(int row, int epoch) {
		long life = (long) LIFE.getOpaque(this.lives, row);
		LIFE.setOpaque(this.lives, row, life >>> Integer.SIZE << Integer.SIZE | epoch);
	}

	/** A bit for each row that is visible, the first one in the lowest bit. */
	long visible(int epoch) {
		long visible = 0;
		for (int row = 0; row < ROWS; row++) {
			long life = (long) LIFE.getOpaque(this.lives, row);
			if ((int) (life >>> Integer.SIZE) <= epoch && epoch < (int) life) {
				visible |= 1L << row;
			}
		}
		return visible;
	}

	/** A bit for each row that has a cell in a range, the first one in the lowest bit. */
	long range(int column, long low, long high) {
		long[] @Nullable [] present = this.columns;
		long[] cells = (column < present.length) ? present[column] : null;
		if (cells == null) {
			return 0;
		}
		long inRange = 0;
		for (int row = 0; row < ROWS; row++) {
			if (low <= cells[row] && cells[row] <= high) {
				inRange |= 1L << row;
			}
		}
		return inRange;
	}

	float[] elements() {
		return this.elements;
	}

}
