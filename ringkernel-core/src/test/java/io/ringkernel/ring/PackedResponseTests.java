package io.ringkernel.ring;

import java.util.List;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A response of a packed layout is decoded by its words alone, and nothing else is taken
 * for one.
 */
class PackedResponseTests {

	private static final MessageLayout<Pair> PAIRS = MessageLayout.of(Pair.class);

	private static final MessageLayout<Single> SINGLES = MessageLayout.of(Single.class);

	private final RingLayout layout = RingLayout.forSlots(0, 4, PAIRS.maxSize(), PAIRS.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(this.layout.endOffset());

	private final HostRing host = new HostRing(this.memory, this.layout, 0);

	private final DeviceRing device = new DeviceRing(this.memory, this.layout, 1);

	record Pair(long a, long b) {
	}

	record Single(long a) {
	}

	private long sent() {
		long position = this.host.claims().tryClaim();
		this.host.requests().publish(position, new Pair(1, 2), PAIRS);
		return position;
	}

	@Test
	void isDecodedOnceItIsThere() {
		long position = sent();
		assertThat(this.host.responses().readPacked(position, PAIRS)).isNull();
		this.device.answer(position, 0, new Pair(-3, 4), PAIRS);
		assertThat(this.host.responses().isData(position)).isTrue();
		assertThat(this.host.responses().readPacked(position, PAIRS)).isEqualTo(new Pair(-3, 4));
	}

	@Test
	void isNoneWhileAChunkIsOfAnotherLap() {
		long position = sent();
		this.device.answer(position, 0, new Pair(-3, 4), PAIRS);
		int tag = this.layout.responses().slotOffset(0) + RingLayout.CHUNK_BYTES + RingLayout.CHUNK_DATA_BYTES;
		this.memory.bytes().putInt(tag, this.layout.tag(position) - 2);
		assertThat(this.host.responses().readPacked(position, PAIRS)).isNull();
	}

	@Test
	void isNoneOfAnotherLength() {
		long position = sent();
		this.device.answer(position, 0, new Single(5), SINGLES);
		assertThat(this.host.responses().readPacked(position, PAIRS)).isNull();
		assertThat(this.host.responses().readPacked(position, SINGLES)).isEqualTo(new Single(5));
	}

	@Test
	void isNoneOfAnotherKind() {
		for (MessageKind kind : List.of(MessageKind.HANDLER_FAILED, MessageKind.WITHDRAWN, MessageKind.INVALID_REQUEST,
				MessageKind.INVALID_RESPONSE, MessageKind.LOST)) {
			long position = sent();
			this.device.answer(position, 0, new Pair(-3, 4), PAIRS);
			this.device.answer(position, kind, 7);
			assertThat(this.host.responses().isData(position)).as("%s", kind).isFalse();
			assertThat(this.host.responses().readPacked(position, PAIRS)).as("%s", kind).isNull();
			this.host.claims().release(position);
		}
	}

}
