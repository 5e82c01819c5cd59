package io.ringkernel.compiler.corpus;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Values of many elements.
 */
final class Reductions {

	private Reductions() {
	}

	static List<Sample<?, ?>> samples() {
		List<Vectors> vectors = IntStream.concat(Arrays.stream(Inputs.LENGTHS), IntStream.of(4096))
			.mapToObj((n) -> new Vectors(Inputs.floats(n, n), Inputs.floats(n, n + 1)))
			.toList();
		return List
			.of(new Sample<>(new DotProduct(), Vectors.class, Scalar.class, vectors),
					new Sample<>(new Statistics(), Vectors.class, Summary.class, vectors),
					new Sample<>(new Normalized(), Vectors.class, Vector.class, vectors.subList(1, vectors.size())),
					new Sample<>(new Softmax(), Vectors.class, Vector.class, vectors),
					new Sample<>(new Exponentials(), Doubles.class, Doubles.class,
							List.of(new Doubles(new double[] { 0, -0d, 1, -1, Double.NaN, Double.POSITIVE_INFINITY,
									Double.NEGATIVE_INFINITY, 709.78, 709.79, -745.1, -745.2, -720.5, 0.3, -0.4, 1.03,
									1.05, 1e-300, 88.5, -0x1p-28, Double.MIN_VALUE }))),
					new Sample<>(new Entropy(), Vectors.class, Scalar.class, vectors),
					new Sample<>(new Remainders(), Doubles.class, Doubles.class,
							List.of(new Doubles(new double[] { 0, -0d, 1, -1, Double.NaN, Double.POSITIVE_INFINITY,
									5.25, -7.75, 3, 1e9, 1e-9, -0.1, Double.MIN_VALUE, -Double.MIN_VALUE, 2.5,
									Double.MIN_NORMAL }))));
	}

	record Vectors(@Capacity(4096) float[] a, @Capacity(4096) float[] b) {
	}

	record Vector(@Capacity(4096) float[] values) {
	}

	record Doubles(@Capacity(64) double[] values) {
	}

	record Scalar(float value) {
	}

	record Summary(int positive, long hash, float least, double greatest, double energy, int last, float product) {
	}

	static final class DotProduct implements RingKernelHandler<Vectors, Scalar> {

		@Override
		public Scalar handle(Vectors request) {
			return new Scalar(Parallel.sumFloat(request.a().length, (i) -> request.a()[i] * request.b()[i]));
		}

	}

	static final class Statistics implements RingKernelHandler<Vectors, Summary> {

		@Override
		public Summary handle(Vectors request) {
			float[] a = request.a();
			int n = a.length;
			return new Summary(Parallel.sumInt(n, (i) -> (a[i] > 0) ? 1 : 0),
					Parallel.reduceLong(n, 17, (i) -> Float.floatToIntBits(a[i]), (left, right) -> 31 * left + right),
					Parallel.minFloat(n, (i) -> a[i]), Parallel.maxDouble(n, (i) -> a[i]),
					Parallel.sumDouble(n, (i) -> (double) a[i] * a[i]), Parallel.maxInt(n, (i) -> i),
					Parallel.reduceFloat(n, 1, (i) -> 1 + a[i] / 1000, (left, right) -> left * right));
		}

	}

	/** A reduction between two ranges over the same array. */
	static final class Normalized implements RingKernelHandler<Vectors, Vector> {

		@Override
		public Vector handle(Vectors request) {
			float[] weights = new float[request.a().length];
			Parallel.range(weights.length, (i) -> weights[i] = Math.abs(request.a()[i]) + 1);
			float total = Parallel.sumFloat(weights.length, (i) -> weights[i]);
			Parallel.range(weights.length, (i) -> weights[i] /= total);
			return new Vector(weights);
		}

	}

	static final class Softmax implements RingKernelHandler<Vectors, Vector> {

		@Override
		public Vector handle(Vectors request) {
			float[] a = request.a();
			float[] weights = new float[a.length];
			float greatest = Parallel.maxFloat(a.length, (i) -> a[i]);
			Parallel.range(weights.length, (i) -> weights[i] = (float) StrictMath.exp(a[i] - greatest));
			float total = Parallel.sumFloat(weights.length, (i) -> weights[i]);
			Parallel.range(weights.length, (i) -> weights[i] /= total);
			return new Vector(weights);
		}

	}

	static final class Entropy implements RingKernelHandler<Vectors, Scalar> {

		@Override
		public Scalar handle(Vectors request) {
			float[] a = request.a();
			float total = Parallel.sumFloat(a.length, (i) -> Math.abs(a[i]));
			return new Scalar(-Parallel.sumFloat(a.length, (i) -> {
				double share = Math.abs(a[i]) / total;
				return (float) (share * StrictMath.log(share));
			}));
		}

	}

	/** Each number by its neighbours. */
	static final class Remainders implements RingKernelHandler<Doubles, Doubles> {

		@Override
		public Doubles handle(Doubles request) {
			double[] numbers = request.values();
			double[] remainders = new double[2 * numbers.length];
			Parallel.range(numbers.length, (i) -> {
				double divisor = numbers[(i + 1) % numbers.length];
				remainders[2 * i] = numbers[i] % divisor;
				remainders[2 * i + 1] = (float) numbers[i] % (float) (1 / divisor);
			});
			return new Doubles(remainders);
		}

	}

	static final class Exponentials implements RingKernelHandler<Doubles, Doubles> {

		@Override
		public Doubles handle(Doubles request) {
			double[] powers = new double[request.values().length];
			Parallel.range(powers.length, (i) -> powers[i] = StrictMath.exp(request.values()[i]));
			return new Doubles(powers);
		}

	}

}
