package io.ringkernel.test.ptx;

import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Numbers of IEEE 754, against Java's own arithmetic. A NaN of single precision has the
 * bits that PTX gives it, one of double precision has any.
 */
class FloatInstructionTests {

	private static final int NAN = 0x7fffffff;

	private static final float[] FLOATS = { 0, -0.0f, 1, -1, 1.5f, 3, 0.1f, Float.MIN_VALUE, -Float.MIN_VALUE,
			Float.MIN_NORMAL, Float.MAX_VALUE, -Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY,
			Float.NaN, 16_777_217f };

	private static final double[] DOUBLES = { 0, -0.0, 1, -1.5, 0.1, Double.MIN_VALUE, Double.MIN_NORMAL,
			Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN };

	/**
	 * Java's operators on floats; their widened form is exact for one operation rounded
	 * twice.
	 */
	@FunctionalInterface
	interface FloatOperator {

		float apply(float a, float b);

	}

	static Stream<Arguments> operators() {
		return Stream.of(operator("add", (a, b) -> a + b, (a, b) -> a + b),
				operator("sub", (a, b) -> a - b, (a, b) -> a - b), operator("mul", (a, b) -> a * b, (a, b) -> a * b),
				operator("div", (a, b) -> a / b, (a, b) -> a / b));
	}

	private static Arguments operator(String name, FloatOperator single, DoubleBinaryOperator real) {
		return arguments(name, single, real);
	}

	@ParameterizedTest
	@MethodSource("operators")
	void resultsAreRoundedToTheNearest(String name, FloatOperator single, DoubleBinaryOperator real) {
		for (float a : FLOATS) {
			for (float b : FLOATS) {
				assertThat(Snippet.single(name + ".rn.f32 %f0, %f1, %f2;", a, b)).as("%s %s, %s", name, a, b)
					.isEqualTo(bits(single.apply(a, b)));
			}
		}
		for (double a : DOUBLES) {
			for (double b : DOUBLES) {
				assertThat(Double.longBitsToDouble(Snippet.real(name + ".rn.f64 %g0, %g1, %g2;", a, b)))
					.as("%s %s, %s", name, a, b)
					.isEqualTo(Double.valueOf(real.applyAsDouble(a, b)));
			}
		}
	}

	private static int bits(float value) {
		return Float.isNaN(value) ? NAN : Float.floatToRawIntBits(value);
	}

	@Test
	void aProductIsFusedWithASumOnlyIfItSaysSo() {
		float a = 1 + 0x1p-12f;
		assertThat(Snippet.single("fma.rn.f32 %f0, %f1, %f2, %f3;", a, a, -1)).isEqualTo(bits(Math.fma(a, a, -1f)));
		assertThat(Snippet.single("mul.rn.f32 %f0, %f1, %f2; add.rn.f32 %f0, %f0, %f3;", a, a, -1))
			.isEqualTo(bits(a * a - 1));
	}

	@Test
	void aNumberWinsAgainstANanUnlessThatIsAskedFor() {
		assertThat(Snippet.single("min.f32 %f0, %f1, %f2;", Float.NaN, 2)).isEqualTo(bits(2));
		assertThat(Snippet.single("max.f32 %f0, %f1, %f2;", 2, Float.NaN)).isEqualTo(bits(2));
		assertThat(Snippet.single("max.f32 %f0, %f1, %f2;", Float.NaN, Float.NaN)).isEqualTo(NAN);
		assertThat(Snippet.single("min.NaN.f32 %f0, %f1, %f2;", Float.NaN, 2)).isEqualTo(NAN);
	}

	@Test
	void minusZeroIsLessThanZero() {
		assertThat(Snippet.single("min.f32 %f0, %f1, %f2;", 0, -0.0f)).isEqualTo(bits(-0.0f));
		assertThat(Snippet.single("max.f32 %f0, %f1, %f2;", -0.0f, 0)).isEqualTo(bits(0));
		assertThat(Snippet.single("min.f32 %f0, %f1, %f2;", -0.0f, 0)).isEqualTo(bits(-0.0f));
		assertThat(Snippet.single("max.f32 %f0, %f1, %f2;", 0, -0.0f)).isEqualTo(bits(0));
	}

	@Test
	void rootsAndReciprocalsAreRoundedOnce() {
		for (float a : FLOATS) {
			assertThat(Snippet.single("sqrt.rn.f32 %f0, %f1;", a)).isEqualTo(bits((float) Math.sqrt(a)));
			assertThat(Snippet.single("rcp.rn.f32 %f0, %f1;", a)).isEqualTo(bits(1 / a));
		}
	}

	@Test
	void signsOfNansAndZerosChangeToo() {
		assertThat(Snippet.single("neg.f32 %f0, %f1;", 0)).isEqualTo(bits(-0.0f));
		assertThat(Snippet.single("abs.f32 %f0, %f1;", -0.0f)).isZero();
		assertThat(Snippet.real("neg.f64 %g0, %g1;", -2)).isEqualTo(Double.doubleToRawLongBits(2));
	}

	@Test
	void whatSaturatesLiesBetweenZeroAndOne() {
		assertThat(Snippet.single("add.sat.f32 %f0, %f1, %f2;", 1, 2)).isEqualTo(bits(1));
		assertThat(Snippet.single("add.sat.f32 %f0, %f1, %f2;", 1, -2)).isEqualTo(bits(0));
		assertThat(Snippet.single("add.sat.f32 %f0, %f1, %f2;", 1, Float.NaN)).isEqualTo(bits(0));
		assertThat(Snippet.single("add.sat.f32 %f0, %f1, %f2;", 0.25f, 0.25f)).isEqualTo(bits(0.5f));
	}

	@Test
	void orderedComparisonsDoNotHoldOfANan() {
		for (String comparison : new String[] { "eq", "ne", "lt", "le", "gt", "ge", "num" }) {
			assertThat(compares(comparison, Float.NaN, 1)).as(comparison).isFalse();
		}
		for (String comparison : new String[] { "equ", "neu", "ltu", "leu", "gtu", "geu", "nan" }) {
			assertThat(compares(comparison, 1, Float.NaN)).as(comparison).isTrue();
		}
		assertThat(compares("eq", 0, -0.0f)).isTrue();
		assertThat(compares("ltu", 2, 1)).isFalse();
		assertThat(compares("geu", 2, 1)).isTrue();
	}

	private static boolean compares(String comparison, float a, float b) {
		return Snippet.holds("setp.%s.f32 %%p0, %%f1, %%f2;".formatted(comparison), Float.floatToRawIntBits(a),
				Float.floatToRawIntBits(b));
	}

}
