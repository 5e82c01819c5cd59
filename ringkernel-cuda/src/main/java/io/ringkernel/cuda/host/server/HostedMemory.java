package io.ringkernel.cuda.host.server;

import java.nio.ByteBuffer;

import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.MalformedFrameException;

/**
 * Memory of the device in the host, of which the application names the parts that it
 * reads and writes. A part that is none is refused.
 */
final class HostedMemory {

	private HostedMemory() {
	}

	/**
	 * Reads a part.
	 * @param in the offset of the part and its length in bytes
	 * @param out gets the bytes
	 */
	static void download(DeviceMemory memory, FrameReader in, FrameWriter out) throws MalformedFrameException {
		long offset = in.readLong();
		byte[] bytes = new byte[checked(memory, offset, in.readInt())];
		memory.download(offset, ByteBuffer.wrap(bytes));
		out.writeBytes(bytes);
	}

	/**
	 * Replaces a part.
	 * @param in the offset of the part and its bytes
	 */
	static void upload(DeviceMemory memory, FrameReader in) throws MalformedFrameException {
		long offset = in.readLong();
		byte[] bytes = in.readBytes();
		checked(memory, offset, bytes.length);
		memory.upload(offset, ByteBuffer.wrap(bytes));
	}

	private static int checked(DeviceMemory memory, long offset, int length) throws MalformedFrameException {
		if (length < 0 || length > HostFrame.PIECE_BYTES || offset < 0 || offset > memory.bytes() - length) {
			throw new MalformedFrameException(
					"%d B from %d on, of memory of %d B".formatted(length, offset, memory.bytes()));
		}
		return length;
	}

}
