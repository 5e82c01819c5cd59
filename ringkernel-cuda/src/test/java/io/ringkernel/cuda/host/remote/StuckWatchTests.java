package io.ringkernel.cuda.host.remote;

import java.time.Duration;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StuckWatch}.
 */
class StuckWatchTests {

	private final StuckWatch watch = new StuckWatch(Duration.ofNanos(100));

	@Test
	void aRequestIsOverdueOnceItHasBeenHandledForTheLimit() {
		assertThat(look(10, 7)).isEmpty();
		assertThat(look(109, 7)).isEmpty();
		assertThat(look(110, 7)).hasValue(7);
	}

	@Test
	void theOldestOfThoseThatAreOverdueIsNamed() {
		look(0, 9, 8, 7);
		assertThat(look(100, 9, 8)).hasValue(8);
	}

	@Test
	void aKernelThatGetsDoneWithEachRequestIsNotStuck() {
		for (long position = 0; position < 100; position++) {
			assertThat(look(position * 50, position, position + 1)).isEmpty();
		}
	}

	@Test
	void timeInWhichARequestIsNotHandledDoesNotCount() {
		look(0, 7);
		assertThat(look(90)).isEmpty();
		assertThat(look(120, 7)).isEmpty();
		assertThat(look(220, 7)).hasValue(7);
	}

	private OptionalLong look(long now, long... begun) {
		return this.watch.overdue(begun, now);
	}

}
