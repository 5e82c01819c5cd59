package io.ringkernel.ring.order;

import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
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
			ring.claims().release(ring.claims().tryClaim());
		}
		long held = ring.claims().tryClaim();
		assertThat(cursor.before(ring.claims().head())).isEqualTo(held);
		// Far beyond what a walk over each position would reach within the test.
		long far = Long.MAX_VALUE / 2 / SLOTS * SLOTS;
		HostRing later = new HostRing(MessageBuffer.allocate(this.layout.endOffset()), this.layout, far);
		PositionCursor behind = PositionCursor.inFlight(later, 0);
		assertThat(behind.before(later.claims().head())).isEqualTo(far);
	}

	@Test
	void aRequestThatIsFurtherBehindThanALapIsFoundThroughThePositionsThatWerePassedOver() {
		HostRing ring = new HostRing(MessageBuffer.allocate(this.layout.endOffset()), this.layout, 0);
		PositionCursor cursor = PositionCursor.inFlight(ring, 0);
		long held = ring.claims().tryClaim();
		for (int i = 0; i < 5 * SLOTS; i++) {
			ring.claims().release(ring.contendedClaims().tryClaimAny());
		}
		long found = cursor.before(ring.claims().head());
		assertThat(ring.layout().slot(found)).isEqualTo(ring.layout().slot(held));
		assertThat(ring.claims().head() - found).isLessThanOrEqualTo(SLOTS);
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
