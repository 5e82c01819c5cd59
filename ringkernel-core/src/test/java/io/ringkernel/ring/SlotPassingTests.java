package io.ringkernel.ring;

import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SlotPassingTests {

	private final RingLayout layout = RingLayout.forSlots(0, 2, 16, 16);

	/** A word of skipped laps that cannot be written stops the thread half way. */
	private final SkippedLaps unwritable = new SkippedLaps(MessageBuffer.allocate(0), this.layout);

	private final HostRing ring = new HostRing(MessageBuffer.allocate(this.layout.endOffset()), this.layout, 0,
			this.unwritable);

	/** As a request, it would be counted among those that a worker may have begun. */
	@Test
	void aPositionThatIsBeingPassedOverIsNoRequestInFlight() {
		long busy = this.ring.claims().tryClaim();
		this.ring.claims().release(this.ring.claims().tryClaim());
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(this.ring.contendedClaims()::tryClaimAny);
		long passedOver = this.ring.claims().head() - 1;
		assertThat(this.layout.slot(passedOver)).isEqualTo(this.layout.slot(busy));
		assertThat(this.ring.inFlight().before(this.ring.claims().head())).containsExactly(busy);
		this.ring.claims().release(busy);
		assertThat(this.ring.inFlight().before(this.ring.claims().head())).isEmpty();
	}

}
