package io.ringkernel.spring;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NearestName}.
 */
class NearestNameTests {

	@ParameterizedTest
	@CsvSource({ "wokers, workers", "backnd, backend", "vector-ad, vector-add", "vectoradd, vector-add", "ab, ac" })
	void misspeltNameIsFound(String written, String meant) {
		assertThat(NearestName.to(written, List.of("something-else", meant))).contains(meant);
	}

	@ParameterizedTest
	@CsvSource({ "image-filter, vector-add", "x, y", "half, twice", "echo, vector-add" })
	void nameOfAnotherThingIsNotSuggested(String written, String other) {
		assertThat(NearestName.to(written, List.of(other))).isEmpty();
	}

	@Test
	void nothingIsNearWhereThereIsNothing() {
		assertThat(NearestName.to("workers", List.of())).isEmpty();
	}

}
