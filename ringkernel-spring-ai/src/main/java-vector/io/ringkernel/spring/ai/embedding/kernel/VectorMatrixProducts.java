package io.ringkernel.spring.ai.embedding.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API, if the JVM has the module {@code jdk.incubator.vector}. Sums of four or
 * five rows and four registers of columns stay in registers while elements are added. The
 * matrix has an array for each four registers of columns, row by row.
 */
final class VectorMatrixProducts extends MatrixProducts {

	private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

	private static final int LANES = SPECIES.length();

	private static final int WIDTH = 4 * LANES;

	/**
	 * Rows that are added to at once, at most. Others are four, so that 17 rows are 17
	 * and not 20. The products of a row take as long with four as with five, and longer
	 * with six (AVX-512).
	 */
	private static final int ROWS = 5;

	/** Rows of the matrix that stay in the cache while all sums are added to. */
	private static final int DEPTH = 384;

	@Override
	float[][] layOut(float[][] rows) {
		float[][] panels = new float[rows[0].length / WIDTH][rows.length * WIDTH];
		for (int panel = 0; panel < panels.length; panel++) {
			for (int k = 0; k < rows.length; k++) {
				System.arraycopy(rows[k], panel * WIDTH, panels[panel], k * WIDTH, WIDTH);
			}
		}
		return panels;
	}

	@Override
	void add(float[][] factors, float[][] matrix, int depth, float[][] sums) {
		for (int panel = 0; panel < matrix.length; panel++) {
			for (int from = 0; from < depth; from += DEPTH) {
				add(factors, matrix[panel], from, Math.min(depth, from + DEPTH), sums, panel * WIDTH);
			}
		}
	}

	private static void add(float[][] factors, float[] panel, int from, int to, float[][] sums, int column) {
		int last = factors.length - 1;
		int row = 0;
		for (int groups = (last + ROWS) / ROWS; groups > 0; groups--) {
			int rows = (last + groups - row) / groups;
			int e = row + rows - 1;
			// Of fewer than four, the last one is added to, and stored, again.
			int b = Math.min(row + 1, e);
			int c = Math.min(row + 2, e);
			int d = Math.min(row + 3, e);
			if (rows == ROWS) {
				add(panel, from, to, column, factors[row], sums[row], factors[b], sums[b], factors[c], sums[c],
						factors[d], sums[d], factors[e], sums[e]);
			}
			else {
				add(panel, from, to, column, factors[row], sums[row], factors[b], sums[b], factors[c], sums[c],
						factors[d], sums[d]);
			}
			row += rows;
		}
	}

	/**
	 * Has no methods for what it repeats: the compiler would leave them out of this one,
	 * which is large, and make an object of each vector.
	 */
	private static void add(float[] panel, int from, int to, int column, float[] as, float[] a, float[] bs, float[] b,
			float[] cs, float[] c, float[] ds, float[] d, float[] es, float[] e) {
		FloatVector a0 = FloatVector.fromArray(SPECIES, a, column);
		FloatVector a1 = FloatVector.fromArray(SPECIES, a, column + LANES);
		FloatVector a2 = FloatVector.fromArray(SPECIES, a, column + 2 * LANES);
		FloatVector a3 = FloatVector.fromArray(SPECIES, a, column + 3 * LANES);
		FloatVector b0 = FloatVector.fromArray(SPECIES, b, column);
		FloatVector b1 = FloatVector.fromArray(SPECIES, b, column + LANES);
		FloatVector b2 = FloatVector.fromArray(SPECIES, b, column + 2 * LANES);
		FloatVector b3 = FloatVector.fromArray(SPECIES, b, column + 3 * LANES);
		FloatVector c0 = FloatVector.fromArray(SPECIES, c, column);
		FloatVector c1 = FloatVector.fromArray(SPECIES, c, column + LANES);
		FloatVector c2 = FloatVector.fromArray(SPECIES, c, column + 2 * LANES);
		FloatVector c3 = FloatVector.fromArray(SPECIES, c, column + 3 * LANES);
		FloatVector d0 = FloatVector.fromArray(SPECIES, d, column);
		FloatVector d1 = FloatVector.fromArray(SPECIES, d, column + LANES);
		FloatVector d2 = FloatVector.fromArray(SPECIES, d, column + 2 * LANES);
		FloatVector d3 = FloatVector.fromArray(SPECIES, d, column + 3 * LANES);
		FloatVector e0 = FloatVector.fromArray(SPECIES, e, column);
		FloatVector e1 = FloatVector.fromArray(SPECIES, e, column + LANES);
		FloatVector e2 = FloatVector.fromArray(SPECIES, e, column + 2 * LANES);
		FloatVector e3 = FloatVector.fromArray(SPECIES, e, column + 3 * LANES);
		for (int k = from; k < to; k++) {
			int at = k * WIDTH;
			FloatVector row0 = FloatVector.fromArray(SPECIES, panel, at);
			FloatVector row1 = FloatVector.fromArray(SPECIES, panel, at + LANES);
			FloatVector row2 = FloatVector.fromArray(SPECIES, panel, at + 2 * LANES);
			FloatVector row3 = FloatVector.fromArray(SPECIES, panel, at + 3 * LANES);
			FloatVector factor = FloatVector.broadcast(SPECIES, as[k]);
			a0 = factor.fma(row0, a0);
			a1 = factor.fma(row1, a1);
			a2 = factor.fma(row2, a2);
			a3 = factor.fma(row3, a3);
			factor = FloatVector.broadcast(SPECIES, bs[k]);
			b0 = factor.fma(row0, b0);
			b1 = factor.fma(row1, b1);
			b2 = factor.fma(row2, b2);
			b3 = factor.fma(row3, b3);
			factor = FloatVector.broadcast(SPECIES, cs[k]);
			c0 = factor.fma(row0, c0);
			c1 = factor.fma(row1, c1);
			c2 = factor.fma(row2, c2);
			c3 = factor.fma(row3, c3);
			factor = FloatVector.broadcast(SPECIES, ds[k]);
			d0 = factor.fma(row0, d0);
			d1 = factor.fma(row1, d1);
			d2 = factor.fma(row2, d2);
			d3 = factor.fma(row3, d3);
			factor = FloatVector.broadcast(SPECIES, es[k]);
			e0 = factor.fma(row0, e0);
			e1 = factor.fma(row1, e1);
			e2 = factor.fma(row2, e2);
			e3 = factor.fma(row3, e3);
		}
		a0.intoArray(a, column);
		a1.intoArray(a, column + LANES);
		a2.intoArray(a, column + 2 * LANES);
		a3.intoArray(a, column + 3 * LANES);
		b0.intoArray(b, column);
		b1.intoArray(b, column + LANES);
		b2.intoArray(b, column + 2 * LANES);
		b3.intoArray(b, column + 3 * LANES);
		c0.intoArray(c, column);
		c1.intoArray(c, column + LANES);
		c2.intoArray(c, column + 2 * LANES);
		c3.intoArray(c, column + 3 * LANES);
		d0.intoArray(d, column);
		d1.intoArray(d, column + LANES);
		d2.intoArray(d, column + 2 * LANES);
		d3.intoArray(d, column + 3 * LANES);
		e0.intoArray(e, column);
		e1.intoArray(e, column + LANES);
		e2.intoArray(e, column + 2 * LANES);
		e3.intoArray(e, column + 3 * LANES);
	}

	/** The same of four rows. */
	private static void add(float[] panel, int from, int to, int column, float[] as, float[] a, float[] bs, float[] b,
			float[] cs, float[] c, float[] ds, float[] d) {
		FloatVector a0 = FloatVector.fromArray(SPECIES, a, column);
		FloatVector a1 = FloatVector.fromArray(SPECIES, a, column + LANES);
		FloatVector a2 = FloatVector.fromArray(SPECIES, a, column + 2 * LANES);
		FloatVector a3 = FloatVector.fromArray(SPECIES, a, column + 3 * LANES);
		FloatVector b0 = FloatVector.fromArray(SPECIES, b, column);
		FloatVector b1 = FloatVector.fromArray(SPECIES, b, column + LANES);
		FloatVector b2 = FloatVector.fromArray(SPECIES, b, column + 2 * LANES);
		FloatVector b3 = FloatVector.fromArray(SPECIES, b, column + 3 * LANES);
		FloatVector c0 = FloatVector.fromArray(SPECIES, c, column);
		FloatVector c1 = FloatVector.fromArray(SPECIES, c, column + LANES);
		FloatVector c2 = FloatVector.fromArray(SPECIES, c, column + 2 * LANES);
		FloatVector c3 = FloatVector.fromArray(SPECIES, c, column + 3 * LANES);
		FloatVector d0 = FloatVector.fromArray(SPECIES, d, column);
		FloatVector d1 = FloatVector.fromArray(SPECIES, d, column + LANES);
		FloatVector d2 = FloatVector.fromArray(SPECIES, d, column + 2 * LANES);
		FloatVector d3 = FloatVector.fromArray(SPECIES, d, column + 3 * LANES);
		for (int k = from; k < to; k++) {
			int at = k * WIDTH;
			FloatVector row0 = FloatVector.fromArray(SPECIES, panel, at);
			FloatVector row1 = FloatVector.fromArray(SPECIES, panel, at + LANES);
			FloatVector row2 = FloatVector.fromArray(SPECIES, panel, at + 2 * LANES);
			FloatVector row3 = FloatVector.fromArray(SPECIES, panel, at + 3 * LANES);
			FloatVector factor = FloatVector.broadcast(SPECIES, as[k]);
			a0 = factor.fma(row0, a0);
			a1 = factor.fma(row1, a1);
			a2 = factor.fma(row2, a2);
			a3 = factor.fma(row3, a3);
			factor = FloatVector.broadcast(SPECIES, bs[k]);
			b0 = factor.fma(row0, b0);
			b1 = factor.fma(row1, b1);
			b2 = factor.fma(row2, b2);
			b3 = factor.fma(row3, b3);
			factor = FloatVector.broadcast(SPECIES, cs[k]);
			c0 = factor.fma(row0, c0);
			c1 = factor.fma(row1, c1);
			c2 = factor.fma(row2, c2);
			c3 = factor.fma(row3, c3);
			factor = FloatVector.broadcast(SPECIES, ds[k]);
			d0 = factor.fma(row0, d0);
			d1 = factor.fma(row1, d1);
			d2 = factor.fma(row2, d2);
			d3 = factor.fma(row3, d3);
		}
		a0.intoArray(a, column);
		a1.intoArray(a, column + LANES);
		a2.intoArray(a, column + 2 * LANES);
		a3.intoArray(a, column + 3 * LANES);
		b0.intoArray(b, column);
		b1.intoArray(b, column + LANES);
		b2.intoArray(b, column + 2 * LANES);
		b3.intoArray(b, column + 3 * LANES);
		c0.intoArray(c, column);
		c1.intoArray(c, column + LANES);
		c2.intoArray(c, column + 2 * LANES);
		c3.intoArray(c, column + 3 * LANES);
		d0.intoArray(d, column);
		d1.intoArray(d, column + LANES);
		d2.intoArray(d, column + 2 * LANES);
		d3.intoArray(d, column + 3 * LANES);
	}

}
