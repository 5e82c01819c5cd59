package io.ringkernel.ring;

import java.time.Duration;

import io.ringkernel.conformance.Concurrently;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is claimed and not released.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InFlightTests {

	private static final Duration LIMIT = Duration.ofSeconds(40);

	@ParameterizedTest
	@CsvSource({ "0, 0", "1, 1", "2, 2", "3, 2", "4, 4", "7, 4", "8, 8" })
	void theLoadIsThePowerOfTwoBelowWhatIsInFlight(int inFlight, int load) {
		HostRing ring = ClaimedRing.of(8, 13);
		for (int i = 0; i < 5; i++) {
			ring.claims().release(ring.claims().tryClaim());
		}
		for (int i = 0; i < inFlight; i++) {
			ring.claims().tryClaim();
		}
		assertThat(ring.inFlight().load()).isEqualTo(load);
	}

	@Test
	void anOldPositionThatHoldsItsSlotIsNoLoad() {
		HostRing ring = ClaimedRing.of(8);
		ring.claims().tryClaim();
		ring.claims().release(ring.claims().tryClaim());
		assertThat(ring.inFlight().load()).isZero();
	}

	@Test
	void aPositionInFlightIsFoundHoweverManyLapsItIsBehind() {
		HostRing ring = ClaimedRing.of(4);
		assertThat(ring.inFlight().before(ring.claims().head())).isEmpty();
		long slow = ring.claims().tryClaim();
		for (int i = 0; i < 1_000; i++) {
			assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(slow);
			ring.claims().release(ring.contendedClaims().tryClaimAny());
		}
		long last = ring.contendedClaims().tryClaimAny();
		assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(slow, last);
		assertThat(ring.inFlight().before(last)).containsExactly(slow);
		ring.claims().release(slow);
		assertThat(ring.inFlight().before(ring.claims().head())).containsExactly(last);
		ring.claims().release(last);
		assertThat(ring.inFlight().before(ring.claims().head())).isEmpty();
	}

	@Test
	void whatAKernelStoresIntoTheSkippedLapsMovesNoClaim() {
		RingLayout layout = RingLayout.forSlots(0, 2, 64, 64);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing ring = new HostRing(memory, layout, 0);
		long slow = ring.claims().tryClaim();
		ring.claims().release(ring.contendedClaims().tryClaimAny());
		ring.claims().release(ring.contendedClaims().tryClaimAny());
		for (long scribble : new long[] { 0, -1, 77L | 99L << 32, Long.MIN_VALUE }) {
			memory.bytes().putLong(layout.skippedLapsOffset(0), scribble);
			assertThat(ring.inFlight().before(ring.claims().head())).as("%x", scribble).containsExactly(slow);
		}
		ring.claims().release(slow);
		assertThat(ring.inFlight().before(ring.claims().head())).isEmpty();
	}

	@Test
	void waitsForIdleUntilTheLastRelease() throws InterruptedException {
		HostRing ring = ClaimedRing.of(4);
		assertThat(ring.inFlight().awaitNone(ClaimedRing.deadlineIn(1))).isTrue();
		long first = ring.claims().tryClaim();
		long second = ring.claims().tryClaim();
		assertThat(ring.inFlight().awaitNone(ClaimedRing.deadlineIn(10))).isFalse();
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> assertThat(ring.inFlight().awaitNone(ClaimedRing.deadlineIn(30_000))).isTrue());
		ring.claims().release(second);
		ring.claims().release(first);
		waiter.join(LIMIT);
	}

}
