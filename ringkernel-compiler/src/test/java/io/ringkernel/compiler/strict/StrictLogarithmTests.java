package io.ringkernel.compiler.strict;

import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class StrictLogarithmTests {

	private static final int CASES = 1_000_000;

	@ParameterizedTest
	@ValueSource(doubles = { 0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
			Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE, 2, 0.5, 0x1.0000000000001p0, 0x1.fffffffffffffp-1,
			0x1.00001p0, 0x1.00000fp0, 0x1.6a09cp0, 0x1.6a09bp0, 0x1.6147ap0, 0x1.6b851p0, 0x1.fffffp7 })
	void theEdgesAreThoseOfStrictMath(double x) {
		assertThat(StrictLogarithm.log(x)).isEqualTo(Double.valueOf(StrictMath.log(x)));
	}

	@Test
	void everyBitAgreesWithStrictMath() {
		Random random = new Random(1);
		for (int i = 0; i < CASES; i++) {
			double nearOne = 1 + (random.nextDouble() - 0.5) / (1L << random.nextInt(40));
			double x = (i % 2 == 0) ? Double.longBitsToDouble(random.nextLong() & Long.MAX_VALUE) : nearOne;
			if (Double.doubleToLongBits(StrictLogarithm.log(x)) != Double.doubleToLongBits(StrictMath.log(x))) {
				assertThat(StrictLogarithm.log(x)).as("log(%s)", x).isEqualTo(Double.valueOf(StrictMath.log(x)));
			}
		}
	}

}
