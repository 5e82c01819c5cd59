package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Arrays of two dimensions.
 */
final class Rows {

	private Rows() {
	}

	static List<Sample<?, ?>> samples() {
		List<Numbers> numbers = new ArrayList<>();
		for (int n : Inputs.LENGTHS) {
			numbers.add(new Numbers(n % 7 - 3, Inputs.floats(n, n)));
		}
		return List.of(new Sample<>(new Product(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Small(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Beyond(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Sized(), Numbers.class, Numbers.class, numbers));
	}

	record Numbers(int number, @Capacity(1024) float[] values) {
	}

	/** A record that no message has. */
	record Matrix(double[][] rows) {

		double at(int row, int column) {
			return this.rows[row][column];
		}

	}

	/** All threads share the rows. */
	static final class Product implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			float[][] left = new float[8][12];
			float[][] right = new float[12][8];
			float[] values = request.values();
			Parallel.range(Math.min(values.length, 96), (i) -> {
				left[i / 12][i % 12] = values[i];
				right[i / 8][i % 8] = -values[values.length - 1 - i];
			});
			left[3][4] = 2;
			left[3][4] += left[2][11] * request.number();
			float[] out = new float[64];
			Parallel.range(64, (i) -> {
				float[] row = left[i / 8];
				float sum = 0;
				for (int k = 0; k < row.length; k++) {
					sum += row[k] * right[k][i % 8];
				}
				out[i] = sum;
			});
			return new Numbers(left.length * 100 + right[5].length, out);
		}

	}

	/** Each index has its own, whose rows go to methods. */
	static final class Small implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			float[] out = new float[request.values().length];
			Parallel.range(out.length, (i) -> {
				byte[][] bits = new byte[3][4];
				for (int k = 0; k < 12; k++) {
					bits[k / 4][k % 4] = (byte) (i * k);
				}
				Arrays.fill(bits[1], (byte) i);
				System.arraycopy(bits[0], 1, bits[2], 0, 3);
				double[][] sums = new double[2][2];
				sums[i & 1][1] = request.values()[i];
				Matrix matrix = new Matrix(sums);
				int sum = 0;
				for (byte[] row : bits) {
					sum = sum * 31 + sum(row);
				}
				out[i] = (float) (sum + matrix.at(1, 1));
			});
			return new Numbers(request.number(), out);
		}

		private static int sum(byte[] row) {
			int sum = 0;
			for (byte one : row) {
				sum += one;
			}
			return sum;
		}

	}

	static final class Beyond implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			long[][] rows = new long[2][3];
			rows[1][2] = 7;
			long found = rows[request.number() & 3][request.values().length % 4];
			return new Numbers((int) found, request.values());
		}

	}

	/** Lengths that are not constant, one of which may be negative. */
	static final class Sized implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[][] rows = new int[Math.min(request.values().length, 30)][Math.min(request.number() + 1, 5)];
			for (int i = 0; i < rows.length; i++) {
				for (int k = 0; k < rows[i].length; k++) {
					rows[i][k] = i * k;
				}
			}
			int sum = Parallel.sumInt(rows.length, (i) -> (rows[i].length == 0) ? -1 : rows[i][rows[i].length - 1]);
			return new Numbers(sum, new float[rows.length]);
		}

	}

}
