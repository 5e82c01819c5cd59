package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HostOptions}.
 */
class HostOptionsTests {

	/** A limit that were longer would be no number of nanoseconds. */
	@ParameterizedTest
	@CsvSource({ "2147483647, PT5S, P365D", "300, P365D, P365D", "4, PT5S, PT20S", "4, PT0.1S, PT3S", "0, PT5S," })
	void aRequestIsHandledForAsManyTimeoutsAsSaidButNotForMoreThanAYear(int stuckAfter, Duration requestTimeout,
			Duration longest) {
		HostOptions options = new HostOptions(Path.of("/dev/shm"), Duration.ofSeconds(20), Duration.ofSeconds(3),
				stuckAfter);
		assertThat(options.longestHandling(requestTimeout)).isEqualTo(longest);
	}

}
