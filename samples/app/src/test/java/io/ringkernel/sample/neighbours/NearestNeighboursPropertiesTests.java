package io.ringkernel.sample.neighbours;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class NearestNeighboursPropertiesTests {

	@Test
	void acceptsWhatOneArrayHolds() {
		assertThat(new NearestNeighboursProperties(16_384, 131_071).capacity()).isEqualTo(131_071);
	}

	@Test
	void refusesMoreThanOneArrayHolds() {
		assertThatIllegalArgumentException().isThrownBy(() -> new NearestNeighboursProperties(16_384, 131_072))
			.withMessage("sample.nearest-neighbours.capacity = 131072 is out of range. "
					+ "Set it to a value from 1 to 131071.");
	}

	@Test
	void refusesVectorsThatFitNoMessage() {
		assertThatIllegalArgumentException().isThrownBy(() -> new NearestNeighboursProperties(16_385, 1))
			.withMessageContaining("sample.nearest-neighbours.dimensions = 16385");
		assertThatIllegalArgumentException().isThrownBy(() -> new NearestNeighboursProperties(0, 1));
	}

}
