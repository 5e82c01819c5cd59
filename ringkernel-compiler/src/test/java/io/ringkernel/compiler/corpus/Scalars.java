package io.ringkernel.compiler.corpus;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.RingKernelHandler;

/**
 * Arithmetic and conversions, where Java's semantics are not those of a device.
 */
final class Scalars {

	private Scalars() {
	}

	static List<Sample<?, ?>> samples() {
		List<Ints> ints = new ArrayList<>();
		List<Longs> longs = new ArrayList<>();
		for (int a : Inputs.INTS) {
			for (int b : Inputs.INTS) {
				ints.add(new Ints(a, (b != 0) ? b : 3));
				longs.add(new Longs((long) a << 31 | b, (b != 0) ? b : 5));
			}
		}
		longs.add(new Longs(Long.MIN_VALUE, -1));
		List<Reals> reals = new ArrayList<>();
		for (float a : Inputs.FLOATS) {
			for (float b : Inputs.FLOATS) {
				reals.add(new Reals(a, b, a * 1e20, b));
			}
		}
		return List.of(new Sample<>(new WholeNumbers(), Ints.class, IntResults.class, ints),
				new Sample<>(new LongNumbers(), Longs.class, LongResults.class, longs),
				new Sample<>(new RealNumbers(), Reals.class, RealResults.class, reals),
				new Sample<>(new Conversions(), Reals.class, Converted.class, reals));
	}

	record Ints(int a, int b) {
	}

	record IntResults(int sum, int product, int quotient, int remainder, int left, int right, int unsigned, int bits,
			byte narrow, short shorter, char character, boolean less, int absolute, int least, int modulus, int zeros) {
	}

	record Longs(long a, long b) {
	}

	record LongResults(long sum, long product, long quotient, long remainder, long left, long right, long unsigned,
			int narrow, int order, boolean equal, long greatest, int population, float real, double exact) {
	}

	record Reals(float a, float b, double c, double d) {
	}

	record RealResults(float sum, float product, float quotient, double difference, double ratio, boolean less,
			boolean notGreater, boolean equal, int order, float least, double greatest, double root, double floor,
			double rounded, float absolute, float fused, double negative) {
	}

	record Converted(int fromFloat, long longFromFloat, int fromDouble, long longFromDouble, float narrow, double wide,
			int bits, long rounded, char character) {
	}

	static final class WholeNumbers implements RingKernelHandler<Ints, IntResults> {

		@Override
		public IntResults handle(Ints request) {
			int a = request.a();
			int b = request.b();
			return new IntResults(a + b, a * b, a / b, a % b, a << b, a >> b, a >>> b, (a & b) ^ (a | ~b), (byte) a,
					(short) a, (char) b, a < b, Math.abs(a), Math.min(a, b), Math.floorMod(a, b),
					Integer.numberOfLeadingZeros(a));
		}

	}

	static final class LongNumbers implements RingKernelHandler<Longs, LongResults> {

		@Override
		public LongResults handle(Longs request) {
			long a = request.a();
			long b = request.b();
			return new LongResults(a + b, a * b, a / b, a % b, a << b, a >> b, a >>> b, (int) a, Long.compare(a, b),
					a == b, Math.max(a, b), Long.bitCount(a), a, b);
		}

	}

	static final class RealNumbers implements RingKernelHandler<Reals, RealResults> {

		@Override
		public RealResults handle(Reals request) {
			float a = request.a();
			float b = request.b();
			double c = request.c();
			double d = request.d();
			return new RealResults(a + b, a * b, a / b, c - d, c / d, a < b, !(a > b), a == b, Float.compare(a, b),
					Math.min(a, b), Math.max(c, d), Math.sqrt(c), Math.floor(d), Math.rint(d), Math.abs(a),
					Math.fma(a, b, a), -c);
		}

	}

	static final class Conversions implements RingKernelHandler<Reals, Converted> {

		@Override
		public Converted handle(Reals request) {
			float a = request.a();
			double c = request.c();
			return new Converted((int) a, (long) a, (int) c, (long) c, (float) c, a, Float.floatToIntBits(request.b()),
					Math.round(request.d()), (char) a);
		}

	}

}
