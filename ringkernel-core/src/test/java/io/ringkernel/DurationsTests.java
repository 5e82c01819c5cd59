package io.ringkernel;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DurationsTests {

	@ParameterizedTest
	@CsvSource({ "PT0S,0s", "PT5S,5s", "PT0.0002S,200us", "PT-0.000001S,-1us", "PT1.5S,1500ms", "PT0.000000499S,499ns",
			"PT1M,1m", "PT90S,90s", "PT36H,36h", "P365D,365d", "PT-2S,-2s" })
	void aDurationIsWrittenInTheLargestUnitThatStatesItExactly(String iso, String written) {
		assertThat(Durations.format(Duration.parse(iso))).isEqualTo(written);
	}

	@ParameterizedTest
	@CsvSource({ "9223372036854775807,0,9223372036854775807s", "-9223372036854775808,0,-9223372036854775808s",
			"9223372036854775807,1,PT2562047788015215H30M7.000000001S" })
	void theLargestDurationsAreWrittenAsWell(long seconds, long nanos, String written) {
		assertThat(Durations.format(Duration.ofSeconds(seconds, nanos))).isEqualTo(written);
	}

}
