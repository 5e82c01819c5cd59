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

	/** How many rows a block has. */
	static final int ROWS = Long.SIZE;

	/** Retired in no epoch so far. */
	private static final int NEVER = Integer.MAX_VALUE;

	/** Single values are read and written whole, while others are written beside them. */
	private static final VarHandle LIFE = MethodHandles.arrayElementVarHandle(long[].class);

	private final float[] elements;

	/**
	 * The epoch that stages a row above the one that retires it. A row that was never
	 * staged is retired in epoch 0.
	 */
	private final long[] lives = new long[ROWS];

	/** Replaced when a column is added, so that no search sees one half filled. */
	private volatile long[] @Nullable [] columns = {};

	RowBlock(int dimensions) {
		this.elements = new float[ROWS * dimensions];
	}

	/**
	 * Writes the vector of a row, and empties its cells.
	 */
	void write(int row, float[] vectors, int offset, int dimensions) {
		System.arraycopy(vectors, offset, this.elements, row * dimensions, dimensions);
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

	/**
	 * Which rows are visible.
	 * @return a bit for each row, the first one in the lowest bit
	 */
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

	/**
	 * Which rows have a cell in a range.
	 * @return a bit for each row, the first one in the lowest bit
	 */
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

	/**
	 * The dot product of a row and a vector. Eight sums side by side: one would make
	 * every addition wait for the one before it.
	 */
	float dotProduct(int row, float[] vector) {
		float[] all = this.elements;
		int offset = row * vector.length;
		float s0 = 0;
		float s1 = 0;
		float s2 = 0;
		float s3 = 0;
		float s4 = 0;
		float s5 = 0;
		float s6 = 0;
		float s7 = 0;
		int i = 0;
		for (; i <= vector.length - 8; i += 8) {
			s0 += all[offset + i] * vector[i];
			s1 += all[offset + i + 1] * vector[i + 1];
			s2 += all[offset + i + 2] * vector[i + 2];
			s3 += all[offset + i + 3] * vector[i + 3];
			s4 += all[offset + i + 4] * vector[i + 4];
			s5 += all[offset + i + 5] * vector[i + 5];
			s6 += all[offset + i + 6] * vector[i + 6];
			s7 += all[offset + i + 7] * vector[i + 7];
		}
		for (; i < vector.length; i++) {
			s0 += all[offset + i] * vector[i];
		}
		return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
	}

	/**
	 * The squared Euclidean distance of a row from a vector.
	 */
	float squaredDistance(int row, float[] vector) {
		float[] all = this.elements;
		int offset = row * vector.length;
		float s0 = 0;
		float s1 = 0;
		float s2 = 0;
		float s3 = 0;
		int i = 0;
		for (; i <= vector.length - 4; i += 4) {
			float d0 = all[offset + i] - vector[i];
			float d1 = all[offset + i + 1] - vector[i + 1];
			float d2 = all[offset + i + 2] - vector[i + 2];
			float d3 = all[offset + i + 3] - vector[i + 3];
			s0 += d0 * d0;
			s1 += d1 * d1;
			s2 += d2 * d2;
			s3 += d3 * d3;
		}
		for (; i < vector.length; i++) {
			float d = all[offset + i] - vector[i];
			s0 += d * d;
		}
		return (s0 + s1) + (s2 + s3);
	}

}
