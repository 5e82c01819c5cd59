package io.ringkernel.sample.stream.kernel;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the settings below {@code card-stream}.
 */
class CardStreamPropertiesTests {

	@Test
	void aScoreOfOneHalfIsFlaggedUnlessSetOtherwise() {
		assertThat(bind(Map.of()).flagAbove()).isEqualTo(0.5f);
		assertThat(bind(Map.of("card-stream.flag-above", "1")).flagAbove()).isOne();
		assertThat(bind(Map.of("card-stream.flag-above", "0")).flagAbove()).isZero();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			partitions          | 0    | card-stream.partitions is 0; set 1 or more
			cards-per-partition | -1   | card-stream.cards-per-partition is -1; set 1 or more
			restore-timeout     | 0s   | card-stream.restore-timeout is PT0S; set a time above 0
			flag-above          | -0.1 | card-stream.flag-above is -0.1; set a number from 0 to 1
			flag-above          | 50   | card-stream.flag-above is 50.0; set a number from 0 to 1
			flag-above          | NaN  | card-stream.flag-above is NaN; set a number from 0 to 1
			""")
	void aValueOutOfItsRangeIsRefused(String name, String value, String reason) {
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> bind(Map.of("card-stream." + name, value)))
			.havingRootCause()
			.withMessage(reason);
	}

	private static CardStreamProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("card-stream",
				CardStreamProperties.class);
	}

}
