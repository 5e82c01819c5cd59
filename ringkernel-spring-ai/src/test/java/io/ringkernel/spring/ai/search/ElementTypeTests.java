package io.ringkernel.spring.ai.search;

import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

/**
 * Tests for {@link ElementType} and {@link Half}.
 */
class ElementTypeTests {

	private static final int INFINITY = 0x7c00;

	/** What IEEE 754 says of the bits of a positive half. */
	private static float ofBits(int bits) {
		int exponent = bits >>> 10;
		int fraction = bits & 0x3ff;
		return (exponent == 0) ? Math.scalb((float) fraction, -24)
				: Math.scalb((float) (0x400 | fraction), exponent - 25);
	}

	@Test
	void everyHalfIsItselfAndWhatLiesBetweenIsTheNearerOne() {
		for (int bits = 0; bits < INFINITY - 1; bits++) {
			float low = ofBits(bits);
			float high = ofBits(bits + 1);
			float middle = (low + high) / 2;
			assertRounds(low, low);
			assertRounds(Math.nextDown(middle), low);
			assertRounds(middle, (bits % 2 == 0) ? low : high);
			assertRounds(Math.nextUp(middle), high);
		}
		assertRounds(Half.LARGEST, ofBits(INFINITY - 1));
		assertRounds(Math.nextDown(65_520f), Half.LARGEST);
		assertRounds(65_520f, Float.POSITIVE_INFINITY);
	}

	private static void assertRounds(float value, float half) {
		if (Half.round(value) != half || Half.round(-value) != -half) {
			throw new AssertionError("%s is rounded to %s and not to %s".formatted(value, Half.round(value), half));
		}
	}

	@Test
	void bytesAreMultiplesOfTheScaleOfTheirVector() {
		float[] elements = { 9, 254, -100.9f, 1.1f, 0.9f, 0, 9 };
		ElementType.INT8.round(elements, 1, 5);
		assertThat(elements).containsExactly(9, 254, -100, 2, 0, 0, 9);
	}

	@Test
	void vectorsOfZerosStayZeros() {
		float[] elements = { 0, 0, 0 };
		ElementType.INT8.round(elements, 0, 3);
		assertThat(elements).containsOnly(0);
	}

	@ParameterizedTest
	@EnumSource
	void elementsAreRoundedOnce(ElementType type) {
		Random random = new Random(3);
		float[] elements = new float[64];
		for (int i = 0; i < elements.length; i++) {
			elements[i] = (float) random.nextGaussian();
		}
		float[] once = elements.clone();
		type.round(once, 0, once.length);
		for (int i = 0; i < elements.length; i++) {
			assertThat(once[i]).isCloseTo(elements[i], offset(0.02f));
		}
		float[] twice = once.clone();
		type.round(twice, 0, twice.length);
		assertThat(twice).containsExactly(once, offset(1e-6f));
	}

	@ParameterizedTest
	@EnumSource
	void findsAsManyAsThereAreIfAllAreWanted(ElementType type) {
		assertThat(type.candidates(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
	}

}
