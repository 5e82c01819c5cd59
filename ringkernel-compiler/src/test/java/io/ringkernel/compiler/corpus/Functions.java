package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * The functions of {@link StrictMath}.
 */
final class Functions {

	private static final double[] EDGES = { 0, -0.0, 0.3, -0.7, 0.98, 1, -1, 1.6, Math.PI / 2, -3, 23, 710, 1e6, -1e9,
			1e22, 6381956970095103.0 * 0x1p797, Double.MAX_VALUE, Double.MIN_VALUE, 0x1p-30, Double.NaN,
			Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY };

	private Functions() {
	}

	static List<Sample<?, ?>> samples() {
		List<Numbers> numbers = new ArrayList<>();
		numbers.add(new Numbers(EDGES));
		Random random = new Random(1);
		double[] some = new double[30];
		for (int i = 0; i < some.length; i++) {
			some[i] = switch (i % 3) {
				case 0 -> (random.nextDouble() - 0.5) * 4;
				case 1 -> (random.nextDouble() - 0.5) * 1e5;
				default -> Double.longBitsToDouble(random.nextLong());
			};
		}
		numbers.add(new Numbers(some));
		return List.of(new Sample<>(new Angles(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new InverseAngles(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Growth(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Powers(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Remainders(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Scales(), Numbers.class, Numbers.class, numbers),
				new Sample<>(new Different(), Numbers.class, Numbers.class, numbers));
	}

	record Numbers(@Capacity(256) double[] values) {
	}

	static final class Angles implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			double[] x = request.values();
			double[] out = new double[3 * x.length];
			Parallel.range(x.length, (i) -> {
				out[3 * i] = StrictMath.sin(x[i]);
				out[3 * i + 1] = StrictMath.cos(x[i]);
				out[3 * i + 2] = StrictMath.tan(x[i]);
			});
			return new Numbers(out);
		}

	}

	static final class InverseAngles implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			double[] x = request.values();
			double[] out = new double[4 * x.length];
			Parallel.range(x.length, (i) -> {
				out[4 * i] = StrictMath.asin(x[i]);
				out[4 * i + 1] = StrictMath.acos(x[i]);
				out[4 * i + 2] = StrictMath.atan(x[i]);
				out[4 * i + 3] = StrictMath.atan2(x[i], x[(i + 7) % x.length]);
			});
			return new Numbers(out);
		}

	}

	static final class Growth implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			double[] x = request.values();
			double[] out = new double[8 * x.length];
			Parallel.range(x.length, (i) -> {
				out[8 * i] = StrictMath.sinh(x[i]);
				out[8 * i + 1] = StrictMath.cosh(x[i]);
				out[8 * i + 2] = StrictMath.tanh(x[i]);
				out[8 * i + 3] = StrictMath.expm1(x[i]);
				out[8 * i + 4] = StrictMath.exp(x[i]);
				out[8 * i + 5] = StrictMath.log(x[i]);
				out[8 * i + 6] = StrictMath.log10(x[i]);
				out[8 * i + 7] = StrictMath.log1p(x[i]);
			});
			return new Numbers(out);
		}

	}

	/** One thread after another, outside of a parallel loop. */
	static final class Powers implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			double[] x = request.values();
			double[] out = new double[4 * x.length];
			for (int i = 0; i < x.length; i++) {
				double other = x[(i + 5) % x.length];
				out[4 * i] = StrictMath.pow(x[i], other);
				out[4 * i + 1] = StrictMath.pow(StrictMath.abs(x[i]), (i % 9) - 4.5);
				out[4 * i + 2] = StrictMath.cbrt(x[i]);
				out[4 * i + 3] = StrictMath.hypot(x[i], other);
			}
			return new Numbers(out);
		}

	}

	static final class Remainders implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			double[] x = request.values();
			double[] out = new double[2 * x.length];
			Parallel.range(x.length, (i) -> {
				out[2 * i] = StrictMath.IEEEremainder(x[i], x[(i + 3) % x.length]);
				out[2 * i + 1] = Math.IEEEremainder(x[i], 0.3);
			});
			return new Numbers(out);
		}

	}

	/** Threads of a warp call different functions, some of them in a loop. */
	static final class Different implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			double[] x = request.values();
			double[] out = new double[x.length];
			Parallel.range(x.length, (i) -> {
				double y = x[i];
				switch (i % 5) {
					case 0 -> y = StrictMath.sin(y) + StrictMath.sin(y + 1);
					case 1 -> y = StrictMath.exp(StrictMath.atan(y)) % 0.7;
					case 2 -> {
						for (int k = 0; k < i % 7; k++) {
							y = StrictMath.tanh(y + k) - StrictMath.expm1(y);
						}
					}
					case 3 -> y = (y > 0) ? StrictMath.log(y) : StrictMath.cosh(y);
					default -> y = -y;
				}
				out[i] = y + StrictMath.atan(y);
			});
			double last = (x.length > 0) ? x[x.length - 1] : 0;
			out[0] = (last > 0.5) ? StrictMath.cbrt(last) : StrictMath.exp(last);
			return new Numbers(out);
		}

	}

	/** What looks at the bits of numbers. */
	static final class Scales implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			double[] x = request.values();
			double[] out = new double[6 * x.length];
			Parallel.range(x.length, (i) -> {
				out[6 * i] = Math.scalb(x[i], 30 * i - 900);
				out[6 * i + 1] = StrictMath.scalb((float) x[i], 5 * i - 150);
				out[6 * i + 2] = Math.ulp(x[i]);
				out[6 * i + 3] = StrictMath.ulp((float) x[i]);
				out[6 * i + 4] = StrictMath.copySign(x[i], x[(i + 3) % x.length] - x[i]);
				out[6 * i + 5] = Math.nextAfter(x[i], x[(i + 1) % x.length]);
			});
			return new Numbers(out);
		}

	}

}
