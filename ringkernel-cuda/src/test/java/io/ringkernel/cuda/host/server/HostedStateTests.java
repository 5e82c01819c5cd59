package io.ringkernel.cuda.host.server;

import java.nio.ByteBuffer;
import java.util.List;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.host.wire.StateFields;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The host reads and writes what is state, and nothing beside it.
 */
class HostedStateTests {

	private static final int BYTES = 3 * HostFrame.PIECE_BYTES;

	private final ByteBuffer memory = ByteBuffer.allocate(BYTES);

	private final HostedState state = new HostedState(new Memory());

	@Test
	void fieldsArriveAsTheyAre() throws Exception {
		FrameWriter out = new FrameWriter();
		this.state.describe(out);
		FrameReader in = new FrameReader(out.toBytes());
		assertThat(StateFields.read(in)).containsExactly(new StateField("values", "byte[]", BYTES));
		in.end();
	}

	@Test
	void aPartIsReadAsItWasWritten() throws Exception {
		byte[] bytes = { 1, 2, 3 };
		this.state.write(new FrameReader(part(0, BYTES - 3).writeBytes(bytes).toBytes()));
		FrameWriter out = new FrameWriter();
		this.state.read(new FrameReader(part(0, BYTES - 4).writeInt(4).toBytes()), out);
		assertThat(new FrameReader(out.toBytes()).readBytes()).containsExactly(0, 1, 2, 3);
	}

	@ParameterizedTest
	@CsvSource({ "-1, 0, 1", "1, 0, 1", "0, -1, 1", "0, 0, -1", "0, " + (BYTES - 1) + ", 2",
			"0, " + Long.MAX_VALUE + ", 1", "0, 0, " + (HostFrame.PIECE_BYTES + 1), "0, 0, " + Integer.MAX_VALUE })
	void aPartThatIsNoStateIsRefused(int field, long offset, int length) {
		FrameReader read = new FrameReader(part(field, offset).writeInt(length).toBytes());
		assertThatExceptionOfType(MalformedFrameException.class)
			.isThrownBy(() -> this.state.read(read, new FrameWriter()));
	}

	@Test
	void nothingIsWrittenBesideTheState() {
		FrameReader write = new FrameReader(part(0, BYTES - 1).writeBytes(new byte[] { 1, 2 }).toBytes());
		assertThatExceptionOfType(MalformedFrameException.class).isThrownBy(() -> this.state.write(write));
		assertThat(this.memory.get(BYTES - 1)).isZero();
	}

	private static FrameWriter part(int field, long offset) {
		return new FrameWriter().writeInt(field).writeLong(offset);
	}

	private final class Memory implements KernelMemory {

		@Override
		public List<StateField> fields() {
			return List.of(new StateField("values", "byte[]", BYTES));
		}

		@Override
		public void read(int field, long offset, ByteBuffer target) {
			target.put(HostedStateTests.this.memory.slice((int) offset, target.remaining()));
		}

		@Override
		public void write(int field, long offset, ByteBuffer source) {
			HostedStateTests.this.memory.position((int) offset).put(source);
		}

	}

}
