package io.ringkernel.ring;

import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.message.MessageBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PositionCursorTests {

	private static final int SLOTS = 16;

	private final RingLayout layout = RingLayout.forSlots(0, SLOTS, 8, 8);

	@Test
	void aLookAtRequestsInFlightIsNoLongerThanALapHoweverFarTheHeadHasMoved() {
		HostRing ring = new HostRing(MessageBuffer.allocate(this.layout.endOffset()), this.layout, 0);
		PositionCursor cursor = PositionCursor.inFlight(ring, 0);
		for (int i = 0; i < 100 * SLOTS; i++) {
			ring.release(ring.tryClaim());
		}
		long held = ring.tryClaim();
		assertThat(cursor.before(ring.head())).isEqualTo(held);
		// Far beyond what a walk over each position would reach within the test.
		long far = Long.MAX_VALUE / 2 / SLOTS * SLOTS;
		HostRing later = new HostRing(MessageBuffer.allocate(this.layout.endOffset()), this.layout, far);
		PositionCursor behind = PositionCursor.inFlight(later, 0);
		assertThat(behind.before(later.head())).isEqualTo(far);
	}

	@Test
	void aRequestThatIsFurtherBehindThanALapIsFoundThroughThePositionsThatWerePassedOver() {
		HostRing ring = new HostRing(MessageBuffer.allocate(this.layout.endOffset()), this.layout, 0);
		PositionCursor cursor = PositionCursor.inFlight(ring, 0);
		long held = ring.tryClaim();
		for (int i = 0; i < 5 * SLOTS; i++) {
			ring.release(ring.tryClaimAny());
		}
		long found = cursor.before(ring.head());
		assertThat(ring.layout().slot(found)).isEqualTo(ring.layout().slot(held));
		assertThat(ring.head() - found).isLessThanOrEqualTo(SLOTS);
	}

	@Test
	void whatIsDoneIsAskedOnce() {
		AtomicLong asked = new AtomicLong();
		PositionCursor cursor = new PositionCursor(this.layout, 0, (position) -> {
			asked.incrementAndGet();
			return true;
		});
		assertThat(cursor.before(10)).isEqualTo(10);
		assertThat(cursor.before(12)).isEqualTo(12);
		assertThat(asked).hasValue(12);
	}

}
