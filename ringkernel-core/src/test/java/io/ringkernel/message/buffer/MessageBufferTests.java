package io.ringkernel.message.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MessageBufferTests {

	@Test
	void allocatesZeroedLittleEndianMemoryOutsideTheHeap() {
		MessageBuffer buffer = MessageBuffer.allocate(32);
		assertThat(buffer.capacity()).isEqualTo(32);
		assertThat(buffer.bytes().isDirect()).isTrue();
		assertThat(buffer.bytes().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
		assertThat(buffer.bytes().mismatch(ByteBuffer.allocate(32))).isNegative();
	}

	@Test
	void viewsTheWholeBufferAndLeavesItsStateAlone() {
		ByteBuffer bytes = ByteBuffer.allocateDirect(32).position(8).limit(16);
		MessageBuffer buffer = MessageBuffer.wrap(bytes);
		buffer.put(new int[] { 1 }, 0, 1, 28);
		assertThat(buffer.capacity()).isEqualTo(32);
		assertThat(bytes.get(8)).isZero();
		assertThat(bytes.position()).isEqualTo(8);
		assertThat(bytes.limit()).isEqualTo(16);
		assertThat(bytes.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
		assertThat(bytes.clear().get(28)).isEqualTo((byte) 1);
	}

	@Test
	void aValueBeyondTheEndIsRefusedWhereverTheMemoryIs() {
		for (MessageBuffer buffer : List.of(MessageBuffer.allocate(32), MessageBuffer.wrap(ByteBuffer.allocate(32)))) {
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> buffer.putLong(25, 1));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> buffer.putInt(-1, 1));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> buffer.getShort(31));
			assertThat(buffer.bytes().mismatch(ByteBuffer.allocate(32))).isNegative();
		}
	}

	@Test
	void clearsARangeAndNothingElse() {
		for (int from = 0; from < 16; from++) {
			for (int to = from; to < 32; to++) {
				MessageBuffer buffer = MessageBuffer.allocate(32);
				byte[] expected = new byte[32];
				for (int i = 0; i < 32; i++) {
					buffer.bytes().put(i, (byte) -1);
					expected[i] = (byte) ((i < from || i >= to) ? -1 : 0);
				}
				buffer.zero(from, to);
				assertThat(buffer.bytes().mismatch(ByteBuffer.wrap(expected))).isNegative();
			}
		}
	}

}
