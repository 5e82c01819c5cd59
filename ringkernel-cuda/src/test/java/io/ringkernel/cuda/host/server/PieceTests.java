package io.ringkernel.cuda.host.server;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The application reaches what it names, and nothing beside it.
 */
class PieceTests {

	private final byte[] content = { 1, 2, 3, 4, 5 };

	@Test
	void aPartIsReplacedAndRead() throws Exception {
		write(in(new FrameWriter().writeLong(3).writeBytes(new byte[] { 7, 8 })));
		assertThat(this.content).containsExactly(1, 2, 3, 7, 8);
		FrameWriter out = new FrameWriter();
		read(in(new FrameWriter().writeLong(2).writeInt(3)), out);
		assertThat(in(out).readBytes()).containsExactly(3, 7, 8);
	}

	@ParameterizedTest
	@CsvSource({ "-1, 1", "0, 6", "5, 1", "9223372036854775807, 5", "0, -1", "-9223372036854775808, 1" })
	void whatIsNoPartIsRefused(long offset, int length) {
		assertThatExceptionOfType(MalformedFrameException.class)
			.isThrownBy(() -> read(in(new FrameWriter().writeLong(offset).writeInt(length)), new FrameWriter()));
	}

	@Test
	void whatDoesNotFitIsRefused() {
		assertThatExceptionOfType(MalformedFrameException.class)
			.isThrownBy(() -> write(in(new FrameWriter().writeLong(4).writeBytes(new byte[2]))));
		assertThat(this.content).containsExactly(1, 2, 3, 4, 5);
	}

	private void read(FrameReader in, FrameWriter out) throws MalformedFrameException {
		Piece.read(in, out, this.content.length,
				(offset, bytes) -> bytes.put(this.content, (int) offset, bytes.remaining()));
	}

	private void write(FrameReader in) throws MalformedFrameException {
		Piece.write(in, this.content.length,
				(offset, bytes) -> bytes.get(this.content, (int) offset, bytes.remaining()));
	}

	private static FrameReader in(FrameWriter out) {
		return new FrameReader(out.toBytes());
	}

}
