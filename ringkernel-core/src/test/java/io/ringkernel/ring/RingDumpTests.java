package io.ringkernel.ring;

import java.nio.ByteBuffer;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RingDumpTests {

	private static final int SLOTS = 4;

	private final MessageLayout<Word> words = MessageLayout.of(Word.class);

	private final RingLayout layout = RingLayout.forSlots(0, SLOTS, this.words.maxSize(), this.words.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(this.layout.endOffset());

	private final HostRing host = new HostRing(this.memory, this.layout, 0);

	private final DeviceRing device = new DeviceRing(this.memory, this.layout, 1);

	record Word(long value) {
	}

	private long publish() {
		long position = this.host.claims().tryClaim();
		publish(position);
		return position;
	}

	private void publish(long position) {
		Draft draft = this.host.requests().encode(new Word(position), this.words, null);
		this.host.requests().publish(position, draft);
		draft.giveBack();
	}

	private long publishAndAnswer() {
		long position = publish();
		this.device.answer(position, 0, new Word(position), this.words);
		return position;
	}

	private ByteBuffer requestHeader(int slot) {
		return this.memory.bytes()
			.slice(this.layout.requests().slotOffset(slot), 16)
			.order(this.memory.bytes().order());
	}

	private ByteBuffer responseHeader(int slot) {
		return this.memory.bytes()
			.slice(this.layout.responses().slotOffset(slot), 16)
			.order(this.memory.bytes().order());
	}

	/** Each step of a slot's life is a state, on every lap. */
	@Test
	void aSlotGoesThroughItsStates() {
		for (int lap = 0; lap < 3; lap++) {
			for (int slot = 0; slot < SLOTS; slot++) {
				assertState(slot, SlotState.FREE);
				long position = this.host.claims().tryClaim();
				assertState(slot, SlotState.CLAIMED);
				publish(position);
				assertState(slot, SlotState.REQUESTED);
				this.device.answer(position, 0, new Word(position), this.words);
				assertState(slot, SlotState.ANSWERED);
				this.host.claims().release(position);
				assertState(slot, SlotState.FREE);
			}
		}
	}

	private void assertState(int slot, SlotState state) {
		RingDump dump = this.host.dump();
		assertThat(dump.violations()).isEmpty();
		assertThat(dump.unsteady()).isEmpty();
		assertThat(dump.slots()).hasSize(SLOTS);
		assertThat(dump.slots().get(slot).state()).isEqualTo(state);
		assertThat(dump.slots()).filteredOn((other) -> other.slot() != slot)
			.extracting(SlotDump::state)
			.containsOnly(SlotState.FREE);
	}

	@Test
	void aRequestThatIsThereIsShownWithItsPositionTagAndLength() {
		for (int i = 0; i < SLOTS + 1; i++) {
			this.host.claims().release(publishAndAnswer());
		}
		long position = publish();
		RingDump dump = this.host.dump();
		assertThat(dump.head()).isEqualTo(position + 1);
		SlotDump slot = dump.slots().get(1);
		assertThat(slot.position()).isEqualTo(5);
		assertThat(slot.tag()).isEqualTo(3).isEqualTo(slot.requestTag());
		assertThat(slot.requestLength()).isEqualTo(Long.BYTES);
		assertThat(slot.responseTag()).isEqualTo(1);
	}

	@Test
	void aSlotThatIsBusyWhileOthersGoOnIsPassedOver() {
		long slow = publish();
		for (int i = 1; i < SLOTS; i++) {
			this.host.claims().release(publishAndAnswer());
		}
		assertThat(this.host.contendedClaims().tryClaimAny()).isEqualTo(SLOTS + 1);
		RingDump dump = this.host.dump();
		assertThat(dump.violations()).isEmpty();
		assertThat(dump.slots().get(0).state()).isEqualTo(SlotState.PASSED_OVER);
		assertThat(dump.slots().get(0).firstSkippedTag()).isEqualTo(3);
		assertThat(dump.slots().get(1).state()).isEqualTo(SlotState.CLAIMED);
		this.device.answer(slow, 0, new Word(1), this.words);
		this.host.claims().release(slow);
		assertThat(this.host.dump().slots().get(0).state()).isEqualTo(SlotState.FREE);
		assertThat(this.host.dump().violations()).isEmpty();
	}

	@Test
	void anAnswerToNoRequestIsAViolation() {
		long position = this.host.claims().tryClaim();
		this.device.answer(position, 0, new Word(1), this.words);
		assertThat(this.host.dump().violations())
			.containsExactly("Slot 0: position 0 was answered, but its request was never published.");
	}

	@Test
	void aResponseOfALapToComeIsAViolation() {
		publish();
		responseHeader(0).putInt(12, 99);
		assertThat(this.host.dump().violations())
			.containsExactly("Slot 0: it has a response of tag 99, and nothing later than tag 1 was claimed.");
	}

	@Test
	void aFreeSlotThatWasNotAnsweredIsAViolation() {
		this.host.claims().release(publish());
		assertThat(this.host.dump().violations())
			.containsExactly("Slot 0: it is free, but its last request has tag 1 and its last response tag 0.");
	}

	@Test
	void aSlotThatSomebodyWritesToAlthoughItIsFreeIsAViolation() {
		requestHeader(2).putInt(12, 1);
		assertThat(this.host.dump().violations()).hasSize(2)
			.contains("Slot 2: it has a request of tag 1, and nothing later than tag -1 was claimed.");
	}

	@Test
	void aLengthThatTheRingCannotHoldIsAViolation() {
		publishAndAnswer();
		requestHeader(0).putInt(0, -3);
		responseHeader(0).putInt(0, 4711);
		assertThat(this.host.dump().violations()).containsExactly(
				"Slot 0: its request states a length of -3 B, and the limit is 8 B.",
				"Slot 0: its response states a length of 4711 B, and the limit is 8 B.");
	}

	@Test
	void aKindThatIsNotKnownIsAViolation() {
		publishAndAnswer();
		responseHeader(0).putInt(4, 77);
		assertThat(this.host.dump().violations())
			.containsExactly("Slot 0: its response states the unknown kind 77; known are 0 to 5.");
	}

	@Test
	void aRangeThatEndsBeforeItBeginsIsAViolation() {
		this.memory.bytes().putLong(this.layout.skippedLapsOffset(3), 9L | 5L << 32);
		assertThat(this.host.dump().violations())
			.containsExactly("Slot 3: its range of skipped laps ends with tag 5 before it begins with tag 9.");
	}

}
