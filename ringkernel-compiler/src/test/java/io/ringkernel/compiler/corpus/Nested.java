package io.ringkernel.compiler.corpus;

import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Reductions in the bodies of parallel loops and of other reductions.
 */
final class Nested {

	private Nested() {
	}

	static List<Sample<?, ?>> samples() {
		List<Matrix> matrices = IntStream.of(0, 1, 3, 31, 33, 64, 130, 255, 256, 257, 300, 700)
			.mapToObj((columns) -> new Matrix(columns, Inputs.floats(5 * columns, columns),
					Inputs.floats(columns, columns + 1)))
			.toList();
		List<Faults> faults = IntStream.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
			.mapToObj((seed) -> new Faults(seed, IntStream.range(0, 300).map((i) -> i * 7919 * (seed + 1)).toArray()))
			.toList();
		return List.of(new Sample<>(new MatrixTimesVector(), Matrix.class, Vector.class, matrices),
				new Sample<>(new Rows(), Matrix.class, Summaries.class, matrices),
				new Sample<>(new Norm(), Matrix.class, Scalar.class, matrices),
				new Sample<>(new Repeated(), Matrix.class, Vector.class, matrices),
				new Sample<>(new Least(), Matrix.class, Vector.class, matrices.subList(0, 6)),
				new Sample<>(new FailingValues(), Faults.class, Sums.class, faults),
				new Sample<>(new FailingCombinations(), Faults.class, Sums.class, faults),
				new Sample<>(new FailingTotal(), Faults.class, Sums.class, faults),
				new Sample<>(new Distinct(), Faults.class, Sums.class, faults),
				new Sample<>(new Guarded(), Faults.class, Sums.class, faults));
	}

	record Matrix(int columns, @Capacity(4096) float[] elements, @Capacity(1024) float[] vector) {
	}

	record Vector(@Capacity(1024) float[] values) {
	}

	record Scalar(double value) {
	}

	record Summaries(@Capacity(8) int[] ints, @Capacity(8) long[] longs, @Capacity(8) float[] floats,
			@Capacity(8) double[] doubles) {
	}

	record Faults(int seed, @Capacity(300) int[] values) {
	}

	record Sums(@Capacity(64) int[] values) {
	}

	static final class MatrixTimesVector implements RingKernelHandler<Matrix, Vector> {

		@Override
		public Vector handle(Matrix request) {
			int columns = request.columns();
			float[] product = new float[(columns == 0) ? 3 : request.elements().length / columns];
			Parallel.range(product.length, (i) -> product[i] = Parallel.sumFloat(columns,
					(j) -> request.elements()[i * columns + j] * request.vector()[j]));
			return new Vector(product);
		}

	}

	static final class Rows implements RingKernelHandler<Matrix, Summaries> {

		@Override
		public Summaries handle(Matrix request) {
			float[] all = request.elements();
			int n = request.columns();
			int[] ints = new int[5];
			long[] longs = new long[5];
			float[] floats = new float[5];
			double[] doubles = new double[5];
			Parallel.range(5, (i) -> {
				int row = i * n;
				ints[i] = Parallel.sumInt(n - i, (j) -> (all[row + j] > 0) ? 1 : 0) + Parallel.maxInt(n, (j) -> j ^ 5);
				longs[i] = Parallel.reduceLong(n, 17, (j) -> Float.floatToIntBits(all[row + j]),
						(left, right) -> 31 * left + right);
				floats[i] = Parallel.minFloat(n, (j) -> all[row + j])
						+ Parallel.reduceFloat(n, -0f, (j) -> all[row + j], (left, right) -> (left - right) / 2);
				doubles[i] = Parallel.sumDouble(n, (j) -> (double) all[row + j] * i)
						- Parallel.maxDouble(n, (j) -> all[row + j]);
			});
			return new Summaries(ints, longs, floats, doubles);
		}

	}

	/** A reduction of reductions of reductions. */
	static final class Norm implements RingKernelHandler<Matrix, Scalar> {

		@Override
		public Scalar handle(Matrix request) {
			int n = request.columns();
			return new Scalar(Parallel.sumDouble(5, (i) -> Parallel.sumFloat(n, (j) -> request.elements()[i * n + j]
					* Parallel.sumFloat(Math.min(j, 9), (k) -> request.vector()[k]))));
		}

	}

	/** In loops of the thread. */
	static final class Repeated implements RingKernelHandler<Matrix, Vector> {

		@Override
		public Vector handle(Matrix request) {
			float[] values = new float[16];
			float[] vector = request.vector();
			Parallel.range(4, (i) -> {
				for (int k = 0; k < 3; k++) {
					int step = k + 1;
					values[i] += Parallel.sumFloat(vector.length / step, (j) -> vector[j * step] + i);
				}
				Parallel.range(3, (k) -> values[4 + 3 * i + k] = Parallel.sumFloat(vector.length,
						(j) -> ((j & 1) == k) ? vector[j] : 1));
			});
			return new Vector(values);
		}

	}

	/** What {@code Parallel} is made of itself. */
	static final class Least implements RingKernelHandler<Matrix, Vector> {

		@Override
		public Vector handle(Matrix request) {
			float[] values = new float[8];
			float[] vector = request.vector();
			Parallel.range(4, (i) -> {
				int[] ids = new int[2];
				float[] least = new float[2];
				Parallel.smallest(Math.min(vector.length, 20), (j) -> vector[j] * (i - 2), (j) -> j, ids, least);
				values[2 * i] = least[0];
				values[2 * i + 1] = ids[1];
			});
			return new Vector(values);
		}

	}

	/** The lowest index fails, on a line of its own. */
	static final class FailingValues implements RingKernelHandler<Faults, Sums> {

		@Override
		public Sums handle(Faults request) {
			int[] sums = new int[40];
			Parallel.range(sums.length, (i) -> sums[i] = (int) Parallel.sumDouble(300, (j) -> {
				int value = request.values()[j] + i;
				if (value % 211 == 1) {
					throw new IllegalStateException("211");
				}
				if (value % 199 == 2) {
					throw new IllegalArgumentException("199");
				}
				return value;
			}));
			return new Sums(sums);
		}

	}

	/** The combination of partial results fails that Java comes to first. */
	static final class FailingCombinations implements RingKernelHandler<Faults, Sums> {

		private static final int PARTIAL = 1000;

		@Override
		public Sums handle(Faults request) {
			int[] sums = new int[7];
			Parallel.range(sums.length, (i) -> sums[i] = Parallel.reduceInt(300 - 50 * i, PARTIAL,
					(j) -> Math.floorMod(request.values()[j], PARTIAL), FailingCombinations::combined));
			return new Sums(sums);
		}

		static int combined(int left, int right) {
			if (right >= PARTIAL && (left + 3 * right) % 401 == 3) {
				throw new IllegalStateException("401");
			}
			if (right >= PARTIAL && (left + 7 * right) % 397 == 4) {
				throw new IllegalArgumentException("397");
			}
			return left + right;
		}

	}

	/** The same, by all threads together. */
	static final class FailingTotal implements RingKernelHandler<Faults, Sums> {

		@Override
		public Sums handle(Faults request) {
			return new Sums(new int[] { Parallel.reduceInt(300 - request.seed(), FailingCombinations.PARTIAL,
					(j) -> Math.floorMod(request.values()[j], FailingCombinations.PARTIAL),
					FailingCombinations::combined) });
		}

	}

	/** No value is combined with itself. */
	static final class Distinct implements RingKernelHandler<Faults, Sums> {

		@Override
		public Sums handle(Faults request) {
			return new Sums(new int[] { Parallel.reduceInt(32, 0, (j) -> 1 << j, (left, right) -> {
				if ((left & right) != 0) {
					throw new IllegalStateException("twice");
				}
				return left | right;
			}) });
		}

	}

	/** What a reduction throws is thrown in the method around it. */
	static final class Guarded implements RingKernelHandler<Faults, Sums> {

		@Override
		public Sums handle(Faults request) {
			int[] sums = new int[10];
			Parallel.range(sums.length, (i) -> {
				for (int k = 0; k < 3; k++) {
					try {
						int step = k;
						sums[i] += (int) Parallel.sumFloat(9 * i, (j) -> checked(request.values()[j] + step));
					}
					finally {
						sums[i]++;
						continue;
					}
				}
			});
			return new Sums(sums);
		}

		private static int checked(int value) {
			if (value % 23 == 7) {
				throw new IllegalStateException("23");
			}
			return value;
		}

	}

}
