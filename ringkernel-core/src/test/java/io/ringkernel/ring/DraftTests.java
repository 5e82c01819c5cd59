package io.ringkernel.ring;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;

import com.sun.management.ThreadMXBean;
import io.ringkernel.Capacity;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DraftTests {

	private static final MessageLayout<Bytes> BYTES = MessageLayout.of(Bytes.class);

	private static final MessageLayout<Fickle> FICKLE = MessageLayout.of(Fickle.class);

	private final RingLayout layout = RingLayout.forSlots(0, 4, FICKLE.maxSize(), FICKLE.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(this.layout.endOffset());

	private final HostRing host = new HostRing(this.memory, this.layout, 0);

	private final DeviceRing device = new DeviceRing(this.memory, this.layout, 1);

	record Bytes(@Capacity(2000) byte[] bytes) {

		static Bytes of(int length) {
			byte[] bytes = new byte[length];
			Arrays.fill(bytes, (byte) length);
			return new Bytes(bytes);
		}

	}

	/** Returns an array of another length, or throws, when its accessor says so. */
	record Fickle(@Capacity(2000) byte[] bytes, @Capacity(4) int[] next) {

		@Override
		public byte[] bytes() {
			int length = this.next[this.next[0]++];
			if (length < 0) {
				throw new IllegalStateException("refused");
			}
			return new byte[length];
		}

		/** Announces the lengths of the arrays that the accessor returns in turn. */
		static Fickle of(int first, int second) {
			return new Fickle(new byte[0], new int[] { 1, first, second, second });
		}

	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 300, 1124, 1125, 2000 })
	void aRequestOfAnySizeArrives(int length) {
		Draft draft = this.host.requests().encode(Bytes.of(length), BYTES, null);
		long position = this.host.claims().tryClaim();
		this.host.requests().publish(position, draft);
		draft.giveBack();
		assertThat(this.device.poll(position)).isEqualTo(DeviceRing.RequestState.PRESENT);
		assertThat(this.device.request(position, 0, BYTES).bytes()).isEqualTo(Bytes.of(length).bytes());
	}

	@Test
	void anInlineRequestIsEncodedBeforeAPositionIsClaimed() {
		byte[] bytes = new byte[10];
		Draft draft = this.host.requests().encode(new Bytes(bytes), BYTES, null);
		bytes[0] = 1;
		long position = this.host.claims().tryClaim();
		this.host.requests().publish(position, draft);
		assertThat(this.device.request(position, 0, BYTES).bytes()).containsOnly(0);
	}

	@Test
	void publishingAnInlineRequestAllocatesNothing() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		Bytes request = Bytes.of(100);
		long perRound = LongStream.range(0, 20).map((round) -> {
			long before = threads.getCurrentThreadAllocatedBytes();
			for (int i = 0; i < 1_000; i++) {
				Draft draft = this.host.requests().encode(request, BYTES, null);
				long position = this.host.claims().tryClaim();
				this.host.requests().publish(position, draft);
				draft.giveBack();
				this.host.claims().release(position);
			}
			return threads.getCurrentThreadAllocatedBytes() - before;
		}).min().orElseThrow();
		assertThat(perRound).isLessThan(1_000);
	}

	@Test
	void anInvalidRequestClaimsNothingAndLeavesItsDraftToTheNext() {
		for (int i = 0; i < 1_000; i++) {
			assertThatExceptionOfType(InvalidMessageException.class)
				.isThrownBy(() -> this.host.requests().encode(new Bytes(new byte[2001]), BYTES, null));
		}
		assertThat(this.host.claims().head()).isZero();
		aRequestOfAnySizeArrives(20);
	}

	@Test
	void anAccessorThatGrowsItsArrayWithinTheSlotSendsWhatItReturnedLast() {
		Draft draft = this.host.requests().encode(Fickle.of(10, 20), FICKLE, null);
		long position = this.host.claims().tryClaim();
		this.host.requests().publish(position, draft);
		assertThat(this.device.poll(position)).isEqualTo(DeviceRing.RequestState.PRESENT);
		assertThat(this.device.request(position, 0, FICKLE).bytes).hasSize(20);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1125, 1500, 2000 })
	void anAccessorThatGrowsItsArrayBeyondTheSlotSpoilsItsOwnRequestAlone(int second) {
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> this.host.requests().encode(Fickle.of(10, second), FICKLE, null))
			.withMessageContaining("accessor");
		assertThat(this.host.claims().head()).isZero();
		aRequestOfAnySizeArrives(2000);
	}

	@ParameterizedTest
	@ValueSource(ints = { 10, 1500 })
	void aLargeRequestThatChangedIsNotPublished(int second) {
		Draft draft = this.host.requests().encode(Fickle.of(2000, second), FICKLE, null);
		long position = this.host.claims().tryClaim();
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> this.host.requests().publish(position, draft))
			.withMessageStartingWith("Fickle changed between being measured and being written");
		assertThat(this.host.requests().isPublished(position)).isFalse();
		draft.giveBack();
		this.host.requests().retract(position);
		assertThat(this.device.poll(position)).isEqualTo(DeviceRing.RequestState.WITHDRAWN);
		aRequestOfAnySizeArrives(2000);
	}

	@Test
	void anAccessorThatThrowsWhileALargeRequestIsPublishedLeavesThePositionUnpublished() {
		Draft draft = this.host.requests().encode(Fickle.of(2000, -1), FICKLE, null);
		long position = this.host.claims().tryClaim();
		assertThatIllegalStateException().isThrownBy(() -> this.host.requests().publish(position, draft))
			.withMessage("refused");
		assertThat(this.host.requests().isPublished(position)).isFalse();
	}

	@Test
	void draftsThatAreHeldAtOnceAreDifferentOnes() {
		Set<Draft> held = new HashSet<>();
		for (int i = 0; i < 200; i++) {
			assertThat(held.add(this.host.requests().encode(Bytes.of(i), BYTES, null))).isTrue();
		}
		held.forEach(Draft::giveBack);
		aRequestOfAnySizeArrives(7);
	}

	@Test
	void anAnswerThatDoesNotFitIsNotPublished() {
		Draft draft = this.host.requests().encode(Bytes.of(1), BYTES, null);
		long position = this.host.claims().tryClaim();
		this.host.requests().publish(position, draft);
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> this.device.answer(position, 0, new Bytes(new byte[2001]), BYTES));
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> this.device.answer(position, 0, Fickle.of(10, 2000), FICKLE));
		assertThat(this.host.responses().isAnswering(position)).isFalse();
		this.device.answer(position, 0, Bytes.of(2000), BYTES);
		assertThat(this.host.responses().read(position, BYTES, null, null)).isNotNull();
	}

}
