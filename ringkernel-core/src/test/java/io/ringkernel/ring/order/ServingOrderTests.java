package io.ringkernel.ring.order;

import io.ringkernel.Capacity;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.LapTag;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a loop leaves behind that was ended while it stored an answer.
 */
class ServingOrderTests {

	private static final MessageLayout<Load> LOADS = MessageLayout.of(Load.class);

	private static final RingLayout LAYOUT = RingLayout.forSlots(0, 2, LOADS.maxSize(), LOADS.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(LAYOUT.endOffset());

	private final HostRing host = new HostRing(this.memory, LAYOUT, 0);

	private final DeviceRing device = new DeviceRing(this.memory, LAYOUT, 1);

	record Load(long id, @Capacity(100) byte[] bytes) {
	}

	@Test
	void anAnswerThatWasStoredInPartIsUnansweredAndTakenBack() {
		long position = answerInPart();
		assertThat(ServingOrder.of(this.host).unanswered()).containsExactly(position);
		assertThat(this.host.responses().isAnswering(position)).isFalse();
	}

	/** The slot was passed over, and its kernel has scribbled before it died. */
	@Test
	void aRequestIsHandedOverWhateverItsKernelHasStoredIntoTheSkippedLaps() {
		long slow = publish();
		long other = publish();
		this.host.claims().release(other);
		this.host.claims().release(publish());
		long skipped = this.memory.bytes().getLong(LAYOUT.skippedLapsOffset(LAYOUT.slot(slow)));
		assertThat(skipped).isNotZero();
		this.memory.bytes().putLong(LAYOUT.skippedLapsOffset(LAYOUT.slot(slow)), skipped + 1_000);
		assertThat(ServingOrder.of(this.host).unanswered()).containsExactly(slow);
	}

	/** Otherwise the next loop passes over requests that are not published yet. */
	@Test
	void whatItsKernelHasStoredIntoTheSkippedLapsIsWrittenOver() {
		long slow = publish();
		long other = publish();
		this.host.claims().release(other);
		this.host.claims().release(publish());
		int skippedOfSlow = LAYOUT.skippedLapsOffset(LAYOUT.slot(slow));
		int skippedOfOther = LAYOUT.skippedLapsOffset(LAYOUT.slot(other));
		long skipped = this.memory.bytes().getLong(skippedOfSlow);
		assertThat(skipped).isNotZero();
		assertThat(this.memory.bytes().getLong(skippedOfOther)).isZero();
		long scribble = 0x7fff_ffff_0000_0001L;
		this.memory.bytes().putLong(skippedOfSlow, scribble);
		this.memory.bytes().putLong(skippedOfOther, scribble);
		ServingOrder order = ServingOrder.of(this.host);
		assertThat(this.memory.bytes().getLong(skippedOfSlow)).isEqualTo(skipped);
		assertThat(this.memory.bytes().getLong(skippedOfOther)).isZero();
		assertThat(this.device.poll(order.head())).isEqualTo(DeviceRing.RequestState.ABSENT);
		assertThat(this.device.poll(order.head() + 1)).isEqualTo(DeviceRing.RequestState.ABSENT);
		this.host.claims().release(slow);
		long next = publish();
		assertThat(this.device.poll(next)).isEqualTo(DeviceRing.RequestState.PRESENT);
	}

	private long publish() {
		long position = this.host.contendedClaims().tryClaimAny();
		Draft draft = this.host.requests().encode(new Load(position, new byte[50]), LOADS, null);
		this.host.requests().publish(position, draft);
		draft.giveBack();
		return position;
	}

	/**
	 * A caller looks at the header, and for the rest of the answer until that is there.
	 */
	@Test
	void aCallerThatHasFoundItsHeaderGoesOnToWait() {
		long position = answerInPart();
		assertThat(this.host.responses().isAnswering(position)).isTrue();
		ServingOrder.of(this.host);
		assertThat(this.host.responses().read(position, LOADS, null, null)).isNull();
		Load again = new Load(2, new byte[] { 9 });
		this.device.answer(position, 0, again, LOADS);
		assertThat(this.host.responses().read(position, LOADS, null, null)).isNotNull()
			.extracting(Load::id)
			.isEqualTo(2L);
	}

	/** Its header and all chunks but the first are there. */
	private long answerInPart() {
		long position = this.host.claims().tryClaim();
		Draft draft = this.host.requests().encode(new Load(1, new byte[50]), LOADS, null);
		this.host.requests().publish(position, draft);
		draft.giveBack();
		this.device.answer(position, 0, new Load(1, new byte[50]), LOADS);
		int chunk = LAYOUT.responses().slotOffset(LAYOUT.slot(position)) + RingLayout.CHUNK_BYTES;
		this.memory.bytes().putInt(chunk + RingLayout.CHUNK_DATA_BYTES, LapTag.NONE);
		return position;
	}

}
