package io.ringkernel.spring.ai.index;

import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.backend.DeviceLostException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotsTests {

	@Test
	void whatComesToNothingIsTriedAgain() {
		AtomicInteger attempts = new AtomicInteger();
		assertThat(Snapshots.untilKept("words", () -> (attempts.incrementAndGet() < 3) ? null : "found"))
			.isEqualTo("found");
	}

	@Test
	void aKernelThatLosesItsIndexAgainAndAgainIsGivenUp() {
		assertThatExceptionOfType(DeviceLostException.class).isThrownBy(() -> Snapshots.untilKept("words", () -> null))
			.withMessageContaining("'words'")
			.withMessageContaining("lost its index 3 times in one call");
	}

}
