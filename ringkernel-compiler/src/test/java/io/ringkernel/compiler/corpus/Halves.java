package io.ringkernel.compiler.corpus;

import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * Numbers of binary16, by methods that JDK 20 and later have.
 */
public final class Halves {

	private Halves() {
	}

	static List<Sample<?, ?>> samples() {
		List<Bits> bits = List.of(new Bits(new short[0]), new Bits(some(1)), new Bits(some(33)), new Bits(some(300)));
		return List.of(new Sample<>(decoding(), Bits.class, Numbers.class, bits),
				new Sample<>(encoding(), Numbers.class, Bits.class,
						List.of(new Numbers(new float[] { 0, -0f, 1, -1, 1 / 3f, 65504, 65519.99f, 65520, -1e9f,
								0x1p-24f, 0x1p-25f, 0x1.8p-24f, -0x1.000002p-25f, 0x1.ffcp-15f, 0x1.ffep-15f, 0x1p-14f,
								Float.MIN_VALUE, Float.NaN, Float.intBitsToFloat(0xffc00001), Float.POSITIVE_INFINITY,
								Float.NEGATIVE_INFINITY, 2049, 2051, 0x1.002p0f, 0x1.006p0f }))),
				new Sample<>(Later.of(OfZero.class, HalfReference.class, Float.class), Numbers.class, Bits.class,
						List.of(new Numbers(new float[] { 0, -0f, 5, Float.NaN }))),
				new Sample<>(Later.of(DotOfHalves.class, HalfReference.class, Float.class), Bits.class, Dot.class,
						bits));
	}

	/** Decodes each number. */
	public static RingKernelHandler<Bits, Numbers> decoding() {
		return Later.of(Decoding.class, HalfReference.class, Float.class);
	}

	/** Encodes each number. */
	public static RingKernelHandler<Numbers, Bits> encoding() {
		return Later.of(Encoding.class, HalfReference.class, Float.class);
	}

	private static short[] some(int length) {
		short[] some = new short[length];
		for (int i = 0; i < length; i++) {
			some[i] = (short) (i * 0x2f35);
		}
		return some;
	}

	public record Bits(@Capacity(4096) short[] halves) {
	}

	public record Numbers(@Capacity(4096) float[] values) {
	}

	public record Dot(float product) {
	}

	public static final class Decoding implements RingKernelHandler<Bits, Numbers> {

		@Override
		public Numbers handle(Bits request) {
			float[] values = new float[request.halves().length];
			Parallel.range(values.length, (i) -> values[i] = HalfReference.float16ToFloat(request.halves()[i]));
			return new Numbers(values);
		}

	}

	/** A computed NaN may have either sign; half of its bits show none. */
	public static final class Encoding implements RingKernelHandler<Numbers, Bits> {

		@Override
		public Bits handle(Numbers request) {
			short[] halves = new short[request.values().length];
			Parallel.range(halves.length, (i) -> {
				float number = request.values()[i];
				halves[i] = HalfReference.floatToFloat16(Float.intBitsToFloat(Float.floatToIntBits(number)));
			});
			return new Bits(halves);
		}

	}

	/** In variables, in a method, and a constant. */
	public static final class OfZero implements RingKernelHandler<Numbers, Bits> {

		@Override
		public Bits handle(Numbers request) {
			short[] halves = new short[2 * request.values().length];
			Parallel.range(request.values().length, (i) -> {
				int bits = Float.floatToIntBits(request.values()[i] / 0);
				float quotient = Float.intBitsToFloat(bits);
				halves[2 * i] = half(quotient);
				halves[2 * i + 1] = HalfReference.floatToFloat16(0.1f);
			});
			return new Bits(halves);
		}

		private static short half(float number) {
			return HalfReference.floatToFloat16(number);
		}

	}

	public static final class DotOfHalves implements RingKernelHandler<Bits, Dot> {

		@Override
		public Dot handle(Bits request) {
			short[] halves = request.halves();
			return new Dot(Parallel.sumFloat(halves.length, (i) -> HalfReference.float16ToFloat(halves[i])
					* HalfReference.float16ToFloat(halves[halves.length - 1 - i])));
		}

	}

}
