package io.ringkernel.compiler.strict;

import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StrictRemainderTests {

	private static final double[] EDGES = { 0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY,
			Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -Double.MIN_VALUE, 7 * Double.MIN_VALUE, Double.MIN_NORMAL,
			0x1.fffffffffffffp-1023, Double.MAX_VALUE, 3, 0.1, 1e300 };

	@Test
	void theEdgesAreThoseOfTheOperator() {
		for (double dividend : EDGES) {
			for (double divisor : EDGES) {
				agree(dividend, divisor);
			}
		}
	}

	@Test
	void everyBitAgreesWithTheOperator() {
		Random random = new Random(1);
		for (int i = 0; i < 20_000; i++) {
			agree(Double.longBitsToDouble(random.nextLong()), Double.longBitsToDouble(random.nextLong()));
			agree(random.nextDouble() * 1e6, random.nextDouble() * 100);
			agree(random.nextDouble(), Double.longBitsToDouble(random.nextLong() >>> 12));
		}
	}

	@Test
	void theRemainderOfFloatsIsExactAmongDoubles() {
		Random random = new Random(2);
		for (int i = 0; i < 20_000; i++) {
			float dividend = Float.intBitsToFloat(random.nextInt());
			float divisor = Float.intBitsToFloat(random.nextInt());
			assertThat((float) StrictRemainder.remainder(dividend, divisor)).as("%s %% %s", dividend, divisor)
				.isEqualTo(Float.valueOf(dividend % divisor));
		}
	}

	private static void agree(double dividend, double divisor) {
		assertThat(StrictRemainder.remainder(dividend, divisor)).as("%s %% %s", dividend, divisor)
			.isEqualTo(Double.valueOf(dividend % divisor));
	}

}
