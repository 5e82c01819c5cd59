package io.ringkernel.compiler.strict;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each function has the bits of the one of {@link StrictMath} that it stands in for.
 */
class StrictMathTests {

	private static final int CASES = 200_000;

	private static final double[] EDGES = { 0, 0.3, 0.5, 0.6744, 0.78125, 0.975, 1, 1.5, 2, 3, 22, 28, 56 * Math.log(2),
			709.782712893384, 710.4758600739439, 1024, 1075, 0.4375, 0.6875, 1.1875, 2.4375, 0.41422, 0.2929,
			Math.PI / 4, Math.PI / 2, 3 * Math.PI / 4, Math.PI, 0x1p-20, 0x1p-27, 0x1p-28, 0x1p-29, 0x1p-54, 0x1p-55,
			0x1p-57, 0x1p31, 0x1p53, 0x1p60, 0x1p66, 0x1p500, 0x1p-500, 0x1p19 * Math.PI / 2, 1e22, Double.MIN_VALUE,
			Double.MIN_NORMAL, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NaN, 0x1.fffffp-1,
			0x1.00000ffffffffp0, 6381956970095103.0 * 0x1p797 };

	private static final List<Double> NUMBERS = numbers();

	static Stream<Arguments> functions() {
		return Stream.of(function("sin", StrictTrigonometry::sin, StrictMath::sin),
				function("cos", StrictTrigonometry::cos, StrictMath::cos),
				function("tan", StrictTrigonometry::tan, StrictMath::tan),
				function("asin", StrictInverse::asin, StrictMath::asin),
				function("acos", StrictInverse::acos, StrictMath::acos),
				function("atan", StrictInverse::atan, StrictMath::atan),
				function("sinh", StrictHyperbolic::sinh, StrictMath::sinh),
				function("cosh", StrictHyperbolic::cosh, StrictMath::cosh),
				function("tanh", StrictHyperbolic::tanh, StrictMath::tanh),
				function("expm1", StrictExponential::expm1, StrictMath::expm1),
				function("log1p", StrictLogarithm::log1p, StrictMath::log1p),
				function("log10", StrictLogarithm::log10, StrictMath::log10),
				function("cbrt", StrictRoots::cbrt, StrictMath::cbrt));
	}

	static Stream<Arguments> functionsOfTwo() {
		return Stream.of(functionOfTwo("pow", StrictPower::pow, StrictMath::pow),
				functionOfTwo("atan2", StrictInverse::atan2, StrictMath::atan2),
				functionOfTwo("hypot", StrictRoots::hypot, StrictMath::hypot),
				functionOfTwo("IEEEremainder", StrictRemainder::IEEEremainder, StrictMath::IEEEremainder),
				functionOfTwo("scalb", (x, y) -> StrictScale.scalb(x, (int) y), (x, y) -> StrictMath.scalb(x, (int) y)),
				functionOfTwo("scalb of a float", (x, y) -> StrictScale.scalb((float) x, (int) y),
						(x, y) -> StrictMath.scalb((float) x, (int) y)));
	}

	private static Arguments function(String name, DoubleUnaryOperator function, DoubleUnaryOperator strict) {
		return Arguments.of(name, function, strict);
	}

	private static Arguments functionOfTwo(String name, DoubleBinaryOperator function, DoubleBinaryOperator strict) {
		return Arguments.of(name, function, strict);
	}

	/** Around each edge, around multiples of half of pi, and at random. */
	private static List<Double> numbers() {
		List<Double> numbers = new ArrayList<>();
		for (double edge : EDGES) {
			around(numbers, edge, 20);
			around(numbers, Double.longBitsToDouble(Double.doubleToLongBits(edge) & 0xffffffff_00000000L), 20);
		}
		for (int i = 1; i < 500; i++) {
			around(numbers, i * Math.PI / 2, 10);
		}
		for (int exponent = 20; exponent < 1000; exponent++) {
			around(numbers, Math.scalb(Math.PI / 2, exponent), 2);
			numbers.add(Math.scalb(1.0, exponent));
		}
		Random random = new Random(1);
		for (int i = 0; i < CASES; i++) {
			numbers.add(switch (i % 5) {
				case 0 -> Double.longBitsToDouble(random.nextLong());
				case 1 -> (random.nextDouble() - 0.5) * 2;
				case 2 -> (random.nextDouble() - 0.5) * 20;
				case 3 -> (random.nextDouble() - 0.5) * 2e6;
				default -> (random.nextDouble() - 0.5) * 1500;
			});
		}
		return numbers;
	}

	private static void around(List<Double> numbers, double edge, int distance) {
		for (int i = -distance; i <= distance; i++) {
			double near = Double.longBitsToDouble(Double.doubleToLongBits(edge) + i);
			numbers.add(near);
			numbers.add(-near);
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("functions")
	void everyBitAgreesWithStrictMath(String name, DoubleUnaryOperator function, DoubleUnaryOperator strict) {
		for (double x : NUMBERS) {
			double expected = strict.applyAsDouble(x);
			double actual = function.applyAsDouble(x);
			if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
				assertThat(actual).as("%s(%s)", name, Double.toHexString(x)).isEqualTo(Double.valueOf(expected));
			}
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("functionsOfTwo")
	void everyBitOfAFunctionOfTwoAgreesWithStrictMath(String name, DoubleBinaryOperator function,
			DoubleBinaryOperator strict) {
		for (double x : EDGES) {
			for (double y : EDGES) {
				for (double sign : new double[] { 1, -1 }) {
					agree(name, function, strict, x, sign * y);
					agree(name, function, strict, -x, sign * y);
					agree(name, function, strict, Math.nextUp(x), sign * Math.nextDown(y));
				}
			}
		}
		Random random = new Random(2);
		for (int i = 0; i < 2 * CASES; i++) {
			double x = NUMBERS.get(random.nextInt(NUMBERS.size()));
			agree(name, function, strict, x, NUMBERS.get(random.nextInt(NUMBERS.size())));
			agree(name, function, strict, x, x * (random.nextDouble() + 0.5));
			agree(name, function, strict, random.nextDouble() * 4, (random.nextDouble() - 0.5) * 2200);
			agree(name, function, strict, x, random.nextInt(60) - 30);
			agree(name, function, strict, x, random.nextInt(5000) - 2500);
			agree(name, function, strict, 1 + (random.nextDouble() - 0.5) * 0x1p-20,
					Math.scalb(random.nextDouble(), 34));
		}
	}

	private static void agree(String name, DoubleBinaryOperator function, DoubleBinaryOperator strict, double x,
			double y) {
		double expected = strict.applyAsDouble(x, y);
		double actual = function.applyAsDouble(x, y);
		if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
			assertThat(actual).as("%s(%s, %s)", name, Double.toHexString(x), Double.toHexString(y))
				.isEqualTo(Double.valueOf(expected));
		}
	}

}
