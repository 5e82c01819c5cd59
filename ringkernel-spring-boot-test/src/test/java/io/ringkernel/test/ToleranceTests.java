package io.ringkernel.test;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Tolerance}.
 */
class ToleranceTests {

	@Test
	void acceptsNothingButTheSameUnlessTold() {
		assertThat(Tolerance.NONE.accepts(1.5, 1.5)).isTrue();
		assertThat(Tolerance.NONE.accepts(1.5, Math.nextUp(1.5))).isFalse();
	}

	@Test
	void acceptsUpToItsAbsoluteBoundAndNotBeyond() {
		Tolerance tolerance = new Tolerance(0.25, 0);
		assertThat(tolerance.accepts(1, 1.25)).isTrue();
		assertThat(tolerance.accepts(1, 0.75)).isTrue();
		assertThat(tolerance.accepts(1, Math.nextUp(1.25))).isFalse();
	}

	@Test
	void acceptsAPartOfTheLargerMagnitude() {
		Tolerance tolerance = new Tolerance(0, 0.5);
		assertThat(tolerance.accepts(-4, -8)).isTrue();
		assertThat(tolerance.accepts(-8, -4)).isTrue();
		assertThat(tolerance.accepts(-8, -3.75)).isFalse();
		assertThat(tolerance.accepts(0, 1e-30)).isFalse();
	}

	@Test
	void takesTheLargerOfBothBounds() {
		Tolerance tolerance = new Tolerance(1e-3, 0.5);
		assertThat(tolerance.accepts(0, 1e-3)).isTrue();
		assertThat(tolerance.accepts(100, 150)).isTrue();
	}

	@Test
	void takesNoNumberForANumberThatIsNone() {
		Tolerance widest = new Tolerance(Double.MAX_VALUE, 1);
		assertThat(widest.accepts(Double.NaN, Double.NaN)).isTrue();
		assertThat(widest.accepts(Double.NaN, 0)).isFalse();
		assertThat(widest.accepts(0, Double.NaN)).isFalse();
		assertThat(widest.accepts(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY)).isTrue();
		assertThat(widest.accepts(Double.POSITIVE_INFINITY, Double.MAX_VALUE)).isFalse();
		assertThat(widest.accepts(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)).isFalse();
	}

	@Test
	void takesBothZerosForTheSame() {
		assertThat(Tolerance.NONE.accepts(0.0, -0.0)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(doubles = { -1e-9, Double.NaN, Double.POSITIVE_INFINITY })
	void refusesAnAbsoluteBoundThatIsNone(double absolute) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Tolerance(absolute, 0))
			.withMessage("The absolute tolerance is %s. Set it to 0 or a finite number above.".formatted(absolute));
	}

	@ParameterizedTest
	@ValueSource(doubles = { -1e-9, 1.5, Double.NaN })
	void refusesARelativeBoundThatIsNone(double relative) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Tolerance(0, relative))
			.withMessage("The relative tolerance is %s. Set it to a number from 0 to 1.".formatted(relative));
	}

}
