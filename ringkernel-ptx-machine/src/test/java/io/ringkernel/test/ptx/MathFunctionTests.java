package io.ringkernel.test.ptx;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A function of {@link Math} whose last bit Java leaves open has the bits of
 * {@link StrictMath} on a device, whatever the JVM makes of it.
 */
class MathFunctionTests {

	private static final MessageLayout<Numbers> LAYOUT = MessageLayout.of(Numbers.class);

	@Test
	void functionsOfMathHaveTheBitsOfStrictMath() throws InterruptedException {
		HandlerBench<Numbers, Numbers> bench = new HandlerBench<>(HandlerCompiler.compile(new OfMath(), LAYOUT, LAYOUT),
				LAYOUT, LAYOUT);
		for (double x : new double[] { 0.3, -2.5, 17, 1e5, -0.0, 700, Double.NaN, Double.POSITIVE_INFINITY }) {
			HandlerCalls.Outcome outcome = bench.handle(new Numbers(new double[] { x }), 32);
			assertThat(outcome.response()).isInstanceOfSatisfying(Numbers.class,
					(numbers) -> assertThat(numbers.values()).containsExactly(strict(x)));
		}
	}

	private static double[] strict(double x) {
		return new double[] { StrictMath.sin(x), StrictMath.cos(x), StrictMath.tan(x), StrictMath.asin(x),
				StrictMath.acos(x), StrictMath.atan(x), StrictMath.atan2(x, 2), StrictMath.exp(x), StrictMath.expm1(x),
				StrictMath.log(x), StrictMath.log10(x), StrictMath.log1p(x), StrictMath.sinh(x), StrictMath.cosh(x),
				StrictMath.tanh(x), StrictMath.cbrt(x), StrictMath.hypot(x, 3), StrictMath.pow(x, 1.7) };
	}

	record Numbers(@Capacity(18) double[] values) {
	}

	static final class OfMath implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			double x = request.values()[0];
			return new Numbers(new double[] { Math.sin(x), Math.cos(x), Math.tan(x), Math.asin(x), Math.acos(x),
					Math.atan(x), Math.atan2(x, 2), Math.exp(x), Math.expm1(x), Math.log(x), Math.log10(x),
					Math.log1p(x), Math.sinh(x), Math.cosh(x), Math.tanh(x), Math.cbrt(x), Math.hypot(x, 3),
					Math.pow(x, 1.7) });
		}

	}

}
