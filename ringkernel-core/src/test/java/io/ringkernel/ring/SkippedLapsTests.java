package io.ringkernel.ring;

import java.time.Duration;

import io.ringkernel.TestShare;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class SkippedLapsTests {

	private static final int SLOTS = 2;

	private final RingLayout layout = RingLayout.forSlots(0, SLOTS, 16, 16);

	private final SkippedLaps ranges = new SkippedLaps(MessageBuffer.allocate(this.layout.endOffset()), this.layout);

	private int tag(long lap) {
		return this.layout.tag(lap * SLOTS);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 12345, (1L << 30) - 1, 1L << 30, (1L << 31) - 1, 1L << 31 })
	void freshMemoryHoldsNoRange(long lap) {
		assertThat(this.ranges.contains(0, tag(lap))).isFalse();
		assertThat(this.ranges.contains(1, tag(lap))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { 5, (1L << 30) - 2, (1L << 31) - 2 })
	void adjacentLapsMakeOneRange(long lap) {
		for (int i = 0; i < 5; i++) {
			this.ranges.add(0, tag(lap + i));
		}
		for (int i = 0; i < 5; i++) {
			assertThat(this.ranges.contains(0, tag(lap + i))).isTrue();
		}
		assertThat(this.ranges.contains(0, tag(lap - 1))).isFalse();
		assertThat(this.ranges.contains(0, tag(lap + 5))).isFalse();
		assertThat(this.ranges.contains(1, tag(lap))).isFalse();
	}

	@Test
	void aLapBeforeTheRangeExtendsIt() {
		this.ranges.add(0, tag(8));
		this.ranges.add(0, tag(7));
		assertThat(this.ranges.contains(0, tag(7))).isTrue();
		assertThat(this.ranges.contains(0, tag(8))).isTrue();
		assertThat(this.ranges.contains(0, tag(6))).isFalse();
	}

	@Test
	void aLapBehindAGapBeginsANewRange() {
		this.ranges.add(0, tag(4));
		this.ranges.add(0, tag(6));
		assertThat(this.ranges.contains(0, tag(4))).isFalse();
		assertThat(this.ranges.contains(0, tag(5))).isFalse();
		assertThat(this.ranges.contains(0, tag(6))).isTrue();
	}

	@Test
	void aLapIsAddedOnce() {
		this.ranges.add(0, tag(4));
		this.ranges.add(0, tag(5));
		this.ranges.add(0, tag(4));
		assertThat(this.ranges.contains(0, tag(5))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1L << 30, 1L << 31 })
	void anOldRangeIsForgottenWhenAHalfBegins(long firstOfHalf) {
		this.ranges.add(0, tag(firstOfHalf - 3));
		this.ranges.forgetBefore(0, tag(firstOfHalf));
		assertThat(this.ranges.contains(0, tag(firstOfHalf - 3))).isFalse();
	}

	@Test
	void additionsOfTwoThreadsAreNotLost() throws InterruptedException {
		for (int round = 0; round < TestShare.of(8_000); round++) {
			long lap = 4L * round;
			Concurrently.run(2, Duration.ofSeconds(10), (thread) -> this.ranges.add(0, tag(lap + thread)));
			assertThat(this.ranges.contains(0, tag(lap))).isTrue();
			assertThat(this.ranges.contains(0, tag(lap + 1))).isTrue();
		}
	}

}
