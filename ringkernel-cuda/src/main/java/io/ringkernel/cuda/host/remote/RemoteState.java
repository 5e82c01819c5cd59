package io.ringkernel.cuda.host.remote;

import java.nio.ByteBuffer;
import java.util.List;

import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.StateFields;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;

/**
 * The state of a loop that has stopped in a host. It crosses the socket in pieces that a
 * frame has room for.
 */
final class RemoteState implements KernelMemory {

	private final RemoteCalls calls;

	private final List<StateField> fields;

	/** Asks the host what the state of a loop consists of. */
	RemoteState(String kernelId, HostProcess host, int loop) {
		this.calls = new RemoteCalls(kernelId, host, loop);
		this.fields = this.calls.make(HostOperation.STATE, (out) -> {
		}, StateFields::read);
	}

	@Override
	public List<StateField> fields() {
		return this.fields;
	}

	@Override
	public void read(int field, long offset, ByteBuffer target) {
		this.calls.receive(HostOperation.READ_STATE, (out) -> out.writeInt(field), offset, target);
	}

	@Override
	public void write(int field, long offset, ByteBuffer source) {
		this.calls.send(HostOperation.WRITE_STATE, (out) -> out.writeInt(field), offset, source);
	}

}
