package io.ringkernel.test.ptx;

import java.math.BigDecimal;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Conversions between integers and numbers of IEEE 754.
 */
class ConversionInstructionTests {

	private static final float[] FLOATS = { 0, -0.0f, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 1e9f, -1e9f, 3e9f, 1e19f, -1e19f,
			2e19f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE };

	@Test
	void integersAreExtendedByTheirSign() {
		assertThat(Snippet.int64("cvt.s64.s32 %d0, %r1;", -1)).isEqualTo(-1);
		assertThat(Snippet.int64("cvt.u64.u32 %d0, %r1;", -1)).isEqualTo(0xffffffffL);
		assertThat(Snippet.int32("cvt.s32.s8 %r0, %r1;", 0x80)).isEqualTo(-128);
		assertThat(Snippet.int32("cvt.u32.u8 %r0, %r1;", 0x180)).isEqualTo(0x80);
		assertThat(Snippet.int32("cvt.u32.u16 %r0, %h1;", -1)).isEqualTo(0xffff);
		assertThat(Snippet.int64("cvt.u64.s16 %d0, %h1;", -1)).isEqualTo(-1);
	}

	@Test
	void integersSaturate() {
		assertThat(Snippet.int32("cvt.sat.s32.s64 %r0, %d1;", 1L << 40)).isEqualTo(Integer.MAX_VALUE);
		assertThat(Snippet.int32("cvt.sat.s32.s64 %r0, %d1;", -1L << 40)).isEqualTo(Integer.MIN_VALUE);
		assertThat(Snippet.int32("cvt.sat.u32.s32 %r0, %r1;", -5)).isZero();
	}

	@Test
	void numbersBecomeIntegersAsInJava() {
		for (float value : FLOATS) {
			long bits = Float.floatToRawIntBits(value);
			assertThat(Snippet.int32("cvt.rzi.s32.f32 %r0, %f1;", bits)).isEqualTo((int) value);
			assertThat(Snippet.int64("cvt.rzi.s64.f32 %d0, %f1;", bits)).isEqualTo((long) value);
			long real = Double.doubleToRawLongBits(value);
			assertThat(Snippet.int32("cvt.rzi.s32.f64 %r0, %g1;", real)).isEqualTo((int) (double) value);
			assertThat(Snippet.int64("cvt.rzi.s64.f64 %d0, %g1;", real)).isEqualTo((long) (double) value);
		}
	}

	@Test
	void numbersBecomeUnsignedIntegersWithinTheirBounds() {
		assertThat(Snippet.int32("cvt.rzi.u32.f32 %r0, %f1;", Float.floatToRawIntBits(3e9f)))
			.isEqualTo((int) 3_000_000_000L);
		assertThat(Snippet.int32("cvt.rzi.u32.f32 %r0, %f1;", Float.floatToRawIntBits(-3))).isZero();
		assertThat(Snippet.int64("cvt.rzi.u64.f64 %d0, %g1;", Double.doubleToRawLongBits(0x1p63)))
			.isEqualTo(Long.MIN_VALUE);
		assertThat(Snippet.int64("cvt.rzi.u64.f64 %d0, %g1;", Double.doubleToRawLongBits(1e30))).isEqualTo(-1);
	}

	/** Only 32 bits of 32 become 0: here Java and PTX part. */
	@Test
	void aNanIsZeroOrTheLeastNumber() {
		long single = Float.floatToRawIntBits(Float.NaN);
		long real = Double.doubleToRawLongBits(Double.NaN);
		assertThat(Snippet.int32("cvt.rzi.s32.f32 %r0, %f1;", single)).isZero();
		assertThat(Snippet.int64("cvt.rzi.s64.f32 %d0, %f1;", single)).isEqualTo(Long.MIN_VALUE);
		assertThat(Snippet.int32("cvt.rzi.s32.f64 %r0, %g1;", real)).isEqualTo(Integer.MIN_VALUE);
		assertThat(Snippet.int64("cvt.rzi.s64.f64 %d0, %g1;", real)).isEqualTo(Long.MIN_VALUE);
	}

	@Test
	void integersBecomeNumbersAsInJava() {
		for (long value : new long[] { 0, 1, -1, 16_777_217, -16_777_217, Long.MAX_VALUE, Long.MIN_VALUE,
				(1L << 53) + 1 }) {
			assertThat(Snippet.int32("cvt.rn.f32.s64 %f0, %d1; mov.b32 %r0, %f0;", value))
				.isEqualTo(Float.floatToRawIntBits(value));
			assertThat(Snippet.int64("cvt.rn.f64.s64 %g0, %d1; mov.b64 %d0, %g0;", value))
				.isEqualTo(Double.doubleToRawLongBits(value));
		}
		assertThat(Snippet.int64("cvt.rn.f64.u64 %g0, %d1; mov.b64 %d0, %g0;", -1))
			.isEqualTo(Double.doubleToRawLongBits(0x1p64));
	}

	@Test
	void numbersAreRoundedToWholeOnes() {
		for (float value : FLOATS) {
			long bits = Float.floatToRawIntBits(value);
			assertThat(integral("rni", bits)).isEqualTo((float) Math.rint(value));
			assertThat(integral("rmi", bits)).isEqualTo((float) Math.floor(value));
			assertThat(integral("rpi", bits)).isEqualTo((float) Math.ceil(value));
		}
		assertThat(integral("rzi", Float.floatToRawIntBits(-1.5f))).isEqualTo(-1);
	}

	private static float integral(String mode, long bits) {
		return Float
			.intBitsToFloat(Snippet.int32("cvt.%s.f32.f32 %%f0, %%f1; mov.b32 %%r0, %%f0;".formatted(mode), bits));
	}

	@Test
	void precisionIsLostInTheDirectionThatIsAskedFor() {
		for (double value : new double[] { 0.1, -0.1, 1.0 / 3, 1e40, -1e40, 1e-50 }) {
			float down = narrowed("rm", value);
			float up = narrowed("rp", value);
			assertThat(narrowed("rn", value)).isEqualTo((float) value);
			assertThat(new BigDecimal(value)).isBetween(exact(down), exact(up));
			assertThat(Math.nextUp(down)).isEqualTo(up);
			assertThat(narrowed("rz", value)).isEqualTo((value > 0) ? down : up);
		}
		assertThat(narrowed("rp", 0.5)).isEqualTo(0.5f);
	}

	private static BigDecimal exact(float value) {
		return Float.isInfinite(value) ? new BigDecimal("1e60").multiply(BigDecimal.valueOf(Math.signum(value)))
				: new BigDecimal(value);
	}

	private static float narrowed(String mode, double value) {
		return Float.intBitsToFloat(Snippet.int32("cvt.%s.f32.f64 %%f0, %%g1; mov.b32 %%r0, %%f0;".formatted(mode),
				Double.doubleToRawLongBits(value)));
	}

	@Test
	void registersArePackedAndUnpacked() {
		assertThat(Snippet.int64("mov.b64 %d0, {%r1, %r2};", 0x11111111, 0x22222222)).isEqualTo(0x22222222_11111111L);
		assertThat(Snippet.int32("mov.b64 {_, %r0}, %d1;", 0x22222222_11111111L)).isEqualTo(0x22222222);
	}

}
