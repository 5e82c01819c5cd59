package io.ringkernel.spring.ai.embedding.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The Vector API, if the JVM has the module {@code jdk.incubator.vector}. Sums of four
 * rows and four registers of columns stay in registers while elements are added. The
 * matrix has an array for each four registers of columns, row by row.
 */
final class VectorMatrixProducts implements MatrixProducts {

	private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

	private static final int LANES = SPECIES.length();

	private static final int WIDTH = 4 * LANES;

	private static final int ROWS = 4;

	/** Rows of the matrix that stay in the cache while all sums are added to. */
	private static final int DEPTH = 384;

	@Override
	public float[][] layOut(float[][] rows) {
		float[][] panels = new float[rows[0].length / WIDTH][rows.length * WIDTH];
		for (int panel = 0; panel < panels.length; panel++) {
			for (int k = 0; k < rows.length; k++) {
				System.arraycopy(rows[k], panel * WIDTH, panels[panel], k * WIDTH, WIDTH);
			}
		}
		return panels;
	}

	@Override
	public void add(float[][] factors, float[][] matrix, int depth, float[][] sums) {
		int last = factors.length - 1;
		for (int panel = 0; panel < matrix.length; panel++) {
			for (int from = 0; from < depth; from += DEPTH) {
				int to = Math.min(depth, from + DEPTH);
				for (int row = 0; row <= last; row += ROWS) {
					// Of fewer than four rows, the last one is added to, and stored, again.
					int b = Math.min(row + 1, last);
					int c = Math.min(row + 2, last);
					int d = Math.min(row + 3, last);
					add(matrix[panel], from, to, factors[row], factors[b], factors[c], factors[d], panel * WIDTH,
							sums[row], sums[b], sums[c], sums[d]);
				}
			}
		}
	}

	private static void add(float[] panel, int from, int to, float[] as, float[] bs, float[] cs, float[] ds, int column,
			float[] a, float[] b, float[] c, float[] d) {
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
			a0 = factor.mul(row0).add(a0);
			a1 = factor.mul(row1).add(a1);
			a2 = factor.mul(row2).add(a2);
			a3 = factor.mul(row3).add(a3);
			factor = FloatVector.broadcast(SPECIES, bs[k]);
			b0 = factor.mul(row0).add(b0);
			b1 = factor.mul(row1).add(b1);
			b2 = factor.mul(row2).add(b2);
			b3 = factor.mul(row3).add(b3);
			factor = FloatVector.broadcast(SPECIES, cs[k]);
			c0 = factor.mul(row0).add(c0);
			c1 = factor.mul(row1).add(c1);
			c2 = factor.mul(row2).add(c2);
			c3 = factor.mul(row3).add(c3);
			factor = FloatVector.broadcast(SPECIES, ds[k]);
			d0 = factor.mul(row0).add(d0);
			d1 = factor.mul(row1).add(d1);
			d2 = factor.mul(row2).add(d2);
			d3 = factor.mul(row3).add(d3);
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
