package io.ringkernel.compiler.strict;

import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class StrictExponentialTests {

	private static final int CASES = 2_000_000;

	@ParameterizedTest
	@ValueSource(doubles = { 0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
			Double.MIN_VALUE, Double.MAX_VALUE, 709.782712893384, 709.7827128933841, -745.1332191019411,
			-745.1332191019412, -708.3964185322641, -708.4, 0.34657359027997264, 0.3465735902799727, 0.3465735912322998,
			0.3465738296508789, 1.0397205352783203, 1.0397205352783205, 1.0397214889526367, 0x1p-28,
			0x1.fffffffffffffp-29, -0x1p-28 })
	void theEdgesAreThoseOfStrictMath(double x) {
		assertThat(StrictExponential.exp(x)).isEqualTo(Double.valueOf(StrictMath.exp(x)));
	}

	@Test
	void aroundEachEdgeOfTheReductionEveryBitAgrees() {
		for (int high : new int[] { 0x3fd62e42, 0x3fd62e43, 0x3ff0a2b2, 0x3ff0a2b1, 0x3e300000, 0x40862e42 }) {
			for (int low = -1000; low < 1000; low++) {
				double x = Double.longBitsToDouble(((long) high << Integer.SIZE) + low);
				assertThat(StrictExponential.exp(x)).isEqualTo(Double.valueOf(StrictMath.exp(x)));
				assertThat(StrictExponential.exp(-x)).isEqualTo(Double.valueOf(StrictMath.exp(-x)));
			}
		}
	}

	@Test
	void everyBitAgreesWithStrictMath() {
		Random random = new Random(1);
		for (int i = 0; i < CASES; i++) {
			double x = (i % 2 == 0) ? Double.longBitsToDouble(random.nextLong()) : (random.nextDouble() - 0.5) * 1600;
			long expected = Double.doubleToLongBits(StrictMath.exp(x));
			if (Double.doubleToLongBits(StrictExponential.exp(x)) != expected) {
				assertThat(StrictExponential.exp(x)).as("exp(%s)", x).isEqualTo(Double.valueOf(StrictMath.exp(x)));
			}
		}
	}

}
