package io.ringkernel.cuda.host.server;

import java.util.List;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.host.wire.StateFields;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;

/**
 * The state of a loop in the host, of which the application names the fields that it
 * reads and writes, and the pieces of these.
 */
final class HostedState {

	private final KernelMemory memory;

	private final List<StateField> fields;

	HostedState(KernelMemory memory) {
		this.memory = memory;
		this.fields = memory.fields();
	}

	void describe(FrameWriter out) {
		StateFields.write(out, this.fields);
	}

	/** Reads a piece of a field, whose index comes first. */
	void read(FrameReader in, FrameWriter out) throws MalformedFrameException {
		int field = field(in);
		Piece.read(in, out, bytes(field), (offset, bytes) -> this.memory.read(field, offset, bytes));
	}

	/** Replaces a piece of a field, whose index comes first. */
	void write(FrameReader in) throws MalformedFrameException {
		int field = field(in);
		Piece.write(in, bytes(field), (offset, bytes) -> this.memory.write(field, offset, bytes));
	}

	private long bytes(int field) {
		return this.fields.get(field).bytes();
	}

	private int field(FrameReader in) throws MalformedFrameException {
		int field = in.readInt();
		if (field < 0 || field >= this.fields.size()) {
			throw new MalformedFrameException("field %d of %d".formatted(field, this.fields.size()));
		}
		return field;
	}

}
