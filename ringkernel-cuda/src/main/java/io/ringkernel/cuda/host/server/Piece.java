package io.ringkernel.cuda.host.server;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.MalformedFrameException;

/**
 * The piece of something in the host that the application has read or written. One that
 * does not lie within it, or is too large for a frame, is refused.
 */
final class Piece {

	private Piece() {
	}

	/** Reads a piece: an offset, and the length in bytes. */
	static void read(FrameReader in, FrameWriter out, long whole, Copy source) throws MalformedFrameException {
		long offset = in.readLong();
		int length = in.readInt();
		check(offset, length, whole);
		byte[] bytes = new byte[length];
		source.copy(offset, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
		out.writeBytes(bytes);
	}

	/** Replaces a piece: an offset, and the bytes. */
	static void write(FrameReader in, long whole, Copy target) throws MalformedFrameException {
		long offset = in.readLong();
		byte[] bytes = in.readBytes();
		check(offset, bytes.length, whole);
		target.copy(offset, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
	}

	private static void check(long offset, int length, long whole) throws MalformedFrameException {
		if (length < 0 || length > HostFrame.PIECE_BYTES || offset < 0 || offset > whole - length) {
			throw new MalformedFrameException("%d B from %d on, of %d B".formatted(length, offset, whole));
		}
	}

	/** Copies bytes, all that the buffer has left. */
	@FunctionalInterface
	interface Copy {

		void copy(long offset, ByteBuffer bytes);

	}

}
