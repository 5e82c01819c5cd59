package io.ringkernel.ring;

import io.ringkernel.exception.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(10)
class RingLayoutTests {

	private static final int BASE = 4096;

	private static void verifyLane(LaneLayout lane, int slots) {
		assertThat(lane.slotsOffset() % RingLayout.LINE_BYTES).isZero();
		assertThat(lane.slotStride() % RingLayout.LINE_BYTES).isZero();
		assertThat(lane.payloadsOffset() % RingLayout.LINE_BYTES).isZero();
		assertThat(lane.payloadStride() % RingLayout.LINE_BYTES).isZero();
		assertThat(lane.inlineBytes()).isEqualTo(Math.min(lane.maxBytes(), RingLayout.MAX_INLINE_BYTES));
		assertThat(lane.chunks() * RingLayout.CHUNK_BYTES).isLessThanOrEqualTo(lane.slotStride());
		if (lane.maxBytes() > RingLayout.MAX_INLINE_BYTES) {
			assertThat(lane.payloadStride()).isGreaterThanOrEqualTo(lane.maxBytes());
		}
		else {
			assertThat(lane.payloadStride()).isZero();
		}
		assertThat(lane.slotOffset(slots - 1)).isEqualTo(lane.slotsOffset() + (slots - 1) * lane.slotStride());
		assertThat(lane.payloadOffset(slots - 1)).isEqualTo(lane.payloadsOffset() + (slots - 1) * lane.payloadStride());
	}

	@ParameterizedTest
	@CsvSource({ "2, 1, 1", "2, 64, 64", "4, 1140, 1141", "16, 1141, 1140", "64, 8, 70000", "1024, 1200, 16",
			"1024, 12, 12" })
	void partsFollowEachOtherWithoutOverlap(int slots, int maxRequest, int maxResponse) {
		RingLayout layout = RingLayout.forSlots(BASE, slots, maxRequest, maxResponse);
		LaneLayout requests = layout.requests();
		LaneLayout responses = layout.responses();
		verifyLane(requests, slots);
		verifyLane(responses, slots);
		assertThat(layout.skippedLapsOffset()).isEqualTo(layout.skippedLapsOffset(0)).isEqualTo(BASE);
		assertThat(layout.skippedLapsOffset(1)).isEqualTo(BASE + RingLayout.LINE_BYTES);
		assertThat(requests.slotsOffset()).isEqualTo(layout.skippedLapsOffset(slots));
		assertThat(responses.slotsOffset()).isEqualTo(requests.slotOffset(slots));
		assertThat(requests.payloadsOffset()).isEqualTo(responses.slotOffset(slots));
		assertThat(responses.payloadsOffset()).isEqualTo(requests.payloadOffset(slots));
		assertThat(layout.endOffset()).isEqualTo(responses.payloadOffset(slots));
		assertThat(layout.endOffset() - BASE).isEqualTo(RingLayout.totalBytes(slots, maxRequest, maxResponse));
	}

	@Test
	void theLargestInlineMessageFillsThreeRowsOfAWarp() {
		LaneLayout lane = RingLayout.forSlots(0, 2, RingLayout.MAX_INLINE_BYTES, 1).requests();
		assertThat(RingLayout.MAX_INLINE_BYTES).isEqualTo(1140);
		assertThat(lane.chunks()).isEqualTo(96);
		assertThat(lane.slotStride()).isEqualTo(1536);
	}

	@Test
	void aPositionHasASlotAndALap() {
		RingLayout layout = RingLayout.forSlots(0, 8, 64, 64);
		assertThat(layout.slotsShift()).isEqualTo(3);
		assertThat(layout.slot(8L * 5 + 3)).isEqualTo(3);
		assertThat(layout.tag(8L * 5 + 3)).isEqualTo(5 << 1 | 1);
		assertThat(layout.slot((1L << 40) + 7)).isEqualTo(7);
	}

	@ParameterizedTest
	@CsvSource({ "64, 64", "372, 372", "1140, 1140", "1141, 8", "70000, 70000" })
	void aBudgetIsFilledButNotExceeded(int maxRequest, int maxResponse) {
		for (int slots = RingLayout.MIN_SLOTS; slots <= RingLayout.MAX_SLOTS; slots *= 2) {
			long bytes = RingLayout.totalBytes(slots, maxRequest, maxResponse);
			assertThat(RingLayout.forBudget(BASE, bytes, maxRequest, maxResponse).slots()).isEqualTo(slots);
			if (slots > RingLayout.MIN_SLOTS) {
				assertThat(RingLayout.forBudget(BASE, bytes - 1, maxRequest, maxResponse).slots()).isEqualTo(slots / 2);
			}
		}
		assertThat(RingLayout.forBudget(BASE, 1L << 30, 16, 16).slots()).isEqualTo(RingLayout.MAX_SLOTS);
	}

	@Test
	void aBudgetForLessThanTwoSlotsIsRefusedWithTheLeastThatIsEnough() {
		long least = RingLayout.totalBytes(2, 2000, 64);
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> RingLayout.forBudget(BASE, least - 1, 2000, 64))
			.satisfies((ex) -> {
				assertThat(ex.setting()).isEqualTo("ring-memory");
				assertThat(ex.value()).isEqualTo((least - 1) + " B");
				assertThat(ex.reason()).contains("fewer than 2 slots", "2000 B", "64 B");
				assertThat(ex.remedy()).contains("at least " + least + " B");
			});
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> RingLayout.forBudget(BASE, 0, 1000, 64));
	}

	@Test
	void aBudgetBeyondTwoGibibytesIsFilledUpToThere() {
		long bytes = RingLayout.totalBytes(16, 80_000_000, 80_000_000);
		assertThat(RingLayout.forBudget(BASE, bytes, 80_000_000, 80_000_000).slots()).isEqualTo(8);
	}

	@Test
	void messagesOfWhichNoTwoFitIntoTwoGibibytesAreRefused() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> RingLayout.forBudget(BASE, 1L << 34, 700_000_000, 700_000_000))
			.satisfies((ex) -> {
				assertThat(ex.reason()).contains("fewer than 2 slots", "700000000 B");
				assertThat(ex.remedy()).contains("Lower the capacities", "2 GiB").doesNotContain("Set it");
			});
	}

	@ParameterizedTest
	@CsvSource({ "0", "1", "3", "2048", "-2" })
	void slotsThatAreNoPowerOfTwoInRangeAreRefused(int slots) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> RingLayout.forSlots(BASE, slots, 64, 64))
			.withMessageContaining("slots = " + slots)
			.withMessageContaining("power of two from 2 to 1024");
	}

	@Test
	void aRingBeyondTwoGibibytesIsRefused() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> RingLayout.forSlots(BASE, 1024, 2 << 20, 64))
			.withMessageContaining("2 GiB")
			.withMessageContaining("ring-memory");
	}

}
