package io.ringkernel.sample.neighbours;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class NearestNeighboursPropertiesTests {

	@Test
	void acceptsWhatOneArrayHolds() {
		assertThat(new NearestNeighboursProperties(16_384, 131_040).capacity()).isEqualTo(131_040);
	}

	@Test
	void refusesMoreThanOneArrayHolds() {
		assertThatIllegalArgumentException().isThrownBy(() -> new NearestNeighboursProperties(16_384, 131_041))
			.withMessage("sample.nearest-neighbours.capacity = 131041 is out of range. "
					+ "Set it to a value from 1 to 131040.");
	}

	@Test
	void refusesVectorsThatFitNoMessage() {
		assertThatIllegalArgumentException().isThrownBy(() -> new NearestNeighboursProperties(16_385, 1))
			.withMessageContaining("sample.nearest-neighbours.dimensions = 16385");
		assertThatIllegalArgumentException().isThrownBy(() -> new NearestNeighboursProperties(0, 1));
	}

}
