package io.ringkernel.ring;

import java.util.Arrays;

import io.ringkernel.Capacity;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.ringkernel.ring.DeviceRing.RequestState.ABSENT;
import static io.ringkernel.ring.DeviceRing.RequestState.PRESENT;
import static io.ringkernel.ring.DeviceRing.RequestState.WITHDRAWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A large request is published while it is copied, and is a request once all of it is
 * there.
 */
class PartedRequestTests {

	private static final MessageLayout<Blob> BLOBS = MessageLayout.of(Blob.class);

	private static final int LENGTH = 5000;

	private final RingLayout layout = RingLayout.forSlots(0, 2, BLOBS.maxSize(), BLOBS.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(this.layout.endOffset());

	private final HostRing host = new HostRing(this.memory, this.layout, 0);

	private final DeviceRing device = new DeviceRing(this.memory, this.layout, 1);

	private final RingLane requests = new RingLane(this.memory, this.layout.requests());

	private final RingLane responses = new RingLane(this.memory, this.layout.responses());

	record Blob(@Capacity(1 << 20) byte[] bytes) {

		static Blob of(int size) {
			byte[] bytes = new byte[size];
			for (int i = 0; i < size; i++) {
				bytes[i] = (byte) (i * 31 + size);
			}
			return new Blob(bytes);
		}

	}

	/** Returns a shorter array when it is written than when it was measured. */
	record Shrinking(@Capacity(1 << 20) byte[] bytes, @Capacity(1) int[] calls) {

		@Override
		public byte[] bytes() {
			return Arrays.copyOf(this.bytes, this.bytes.length - this.calls[0]++);
		}

	}

	@ParameterizedTest
	@ValueSource(ints = { 1124, 1125, 128 << 10, (512 << 10) - 1, 512 << 10, (512 << 10) + 1, (1 << 20) - 1, 1 << 20 })
	void requestsOfEachSizeAreReadAsTheyWereSentOnEachLap(int size) {
		for (int lap = 0; lap < 3; lap++) {
			for (int slot = 0; slot < 2; slot++) {
				long position = send(Blob.of(size - slot));
				assertThat(this.device.poll(position)).isEqualTo(PRESENT);
				assertThat(this.device.request(position, 0, BLOBS).bytes()).isEqualTo(Blob.of(size - slot).bytes());
				this.device.answer(position, 0, Blob.of(size), BLOBS);
				Blob response = this.host.responses().read(position, BLOBS, null, null);
				assertThat(response).isNotNull();
				assertThat(response.bytes()).isEqualTo(Blob.of(size).bytes());
				this.host.claims().release(position);
			}
		}
	}

	@Test
	void aRequestIsThereOnceAllOfItIs() {
		sendAndAnswer(2);
		long position = this.host.claims().tryClaim();
		this.requests.publishBeginning(0, tag(position), LENGTH, 16);
		for (int available : new int[] { 16, 17, LENGTH - 1 }) {
			this.requests.publishUpTo(0, available);
			assertThat(this.device.poll(position)).isEqualTo(ABSENT);
			assertThat(this.host.requests().isPublished(position)).isFalse();
			assertThat(this.host.requests().hasRequest(0)).isFalse();
			assertThat(this.host.requests().isUnanswered(0)).isFalse();
		}
		this.requests.publishUpTo(0, LENGTH);
		assertThat(this.device.poll(position)).isEqualTo(PRESENT);
		assertThat(this.host.requests().isPublished(position)).isTrue();
		assertThat(this.host.requests().isUnanswered(0)).isTrue();
	}

	@Test
	void theProgressOfTheLapBeforeIsNotThatOfThisOne() {
		sendAndAnswer(2);
		long position = this.host.claims().tryClaim();
		int header = this.layout.requests().slotOffset(0);
		this.memory.bytes().putLong(header, LENGTH);
		this.memory.bytes().putLong(header + Long.BYTES, (long) tag(position) << Integer.SIZE);
		assertThat(this.device.poll(position)).isEqualTo(ABSENT);
	}

	@Test
	void aRequestWhoseNextPartDoesNotComeIsTakenBack() {
		long position = this.host.claims().tryClaim();
		this.requests.publishBeginning(0, tag(position), LENGTH, 16);
		this.host.requests().retract(position);
		assertThat(this.device.poll(position)).isEqualTo(WITHDRAWN);
	}

	@Test
	void aRequestThatIsNoLongerTheOneThatWasMeasuredIsNotPublished() {
		MessageLayout<Shrinking> layout = MessageLayout.of(Shrinking.class);
		Draft draft = this.host.requests().encode(new Shrinking(new byte[200_001], new int[1]), layout, null);
		long position = this.host.claims().tryClaim();
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> this.host.requests().publish(position, draft));
		assertThat(this.requests.headerTag(0)).isEqualTo(LapTag.NONE);
	}

	@Test
	void aResponseIsReadOnceAllOfItIsThere() {
		long position = send(Blob.of(1));
		this.responses.publishBeginning(0, tag(position), LENGTH, LENGTH - 1);
		assertThat(this.host.responses().isAnswering(position)).isTrue();
		assertThat(this.host.responses().isAnswered(position)).isFalse();
		assertThat(this.host.responses().read(position, BLOBS, null, null)).isNull();
	}

	private void sendAndAnswer(int requests) {
		for (int i = 0; i < requests; i++) {
			long position = send(Blob.of(LENGTH - BLOBS.fixedSize() + 100));
			this.device.answer(position, 0, Blob.of(LENGTH + 100), BLOBS);
			this.host.claims().release(position);
		}
	}

	private long send(Blob request) {
		Draft draft = this.host.requests().encode(request, BLOBS, null);
		long position = this.host.claims().tryClaim();
		this.host.requests().publish(position, draft);
		draft.giveBack();
		return position;
	}

	private int tag(long position) {
		return this.layout.tag(position);
	}

}
