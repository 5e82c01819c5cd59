package io.ringkernel.cuda.host.server;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.host.wire.StateFields;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;

/**
 * The state of a loop in the host, of which the application names the parts that it reads
 * and writes. A part that is none is refused.
 */
final class HostedState {

	private final KernelMemory memory;

	private final List<StateField> fields;

	HostedState(KernelMemory memory) {
		this.memory = memory;
		this.fields = memory.fields();
	}

	/**
	 * Writes the fields.
	 */
	void describe(FrameWriter out) {
		StateFields.write(out, this.fields);
	}

	/**
	 * Reads a part of a field.
	 * @param in the index of the field, the offset of the part and its length in bytes
	 * @param out gets the bytes
	 */
	void read(FrameReader in, FrameWriter out) throws MalformedFrameException {
		int field = in.readInt();
		long offset = in.readLong();
		byte[] bytes = new byte[checked(field, offset, in.readInt())];
		this.memory.read(field, offset, littleEndian(bytes));
		out.writeBytes(bytes);
	}

	/**
	 * Replaces a part of a field.
	 * @param in the index of the field, the offset of the part and its bytes
	 */
	void write(FrameReader in) throws MalformedFrameException {
		int field = in.readInt();
		long offset = in.readLong();
		byte[] bytes = in.readBytes();
		checked(field, offset, bytes.length);
		this.memory.write(field, offset, littleEndian(bytes));
	}

	private int checked(int field, long offset, int length) throws MalformedFrameException {
		if (field < 0 || field >= this.fields.size()) {
			throw new MalformedFrameException("field %d of %d".formatted(field, this.fields.size()));
		}
		long bytes = this.fields.get(field).bytes();
		if (length < 0 || length > HostFrame.PIECE_BYTES || offset < 0 || offset > bytes - length) {
			throw new MalformedFrameException("%d B from %d on, of a field of %d B".formatted(length, offset, bytes));
		}
		return length;
	}

	private static ByteBuffer littleEndian(byte[] bytes) {
		return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
	}

}
