package io.ringkernel.cuda.host;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;

/**
 * The state of a loop that has stopped in a host. It crosses the socket in pieces that a
 * frame has room for.
 */
final class RemoteState implements KernelMemory {

	private static final int MIN_BYTES_OF_FIELD = 2 * Integer.BYTES + Long.BYTES;

	private final RemoteCalls calls;

	private final List<StateField> fields;

	/**
	 * Asks the host what the state consists of.
	 * @param loop the number of the loop
	 */
	RemoteState(String kernelId, HostProcess host, int loop) {
		this.calls = new RemoteCalls(kernelId, host, loop);
		this.fields = this.calls.make(Operation.STATE, (out) -> {
		}, RemoteState::readFields);
	}

	/**
	 * Reads the fields.
	 */
	static List<StateField> readFields(FrameReader in) throws MalformedFrameException {
		int count = in.readCount(MIN_BYTES_OF_FIELD);
		List<StateField> fields = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			StateField field = new StateField(in.readString(), in.readString(), in.readLong());
			if (field.bytes() < 0) {
				throw new MalformedFrameException("a field of %d B".formatted(field.bytes()));
			}
			fields.add(field);
		}
		return List.copyOf(fields);
	}

	@Override
	public List<StateField> fields() {
		return this.fields;
	}

	@Override
	public void read(int field, long offset, ByteBuffer target) {
		this.calls.receive(Operation.READ_STATE, (out) -> out.writeInt(field), offset, target);
	}

	@Override
	public void write(int field, long offset, ByteBuffer source) {
		this.calls.send(Operation.WRITE_STATE, (out) -> out.writeInt(field), offset, source);
	}

}
