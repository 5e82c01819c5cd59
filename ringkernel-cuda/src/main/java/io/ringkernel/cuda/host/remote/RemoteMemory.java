package io.ringkernel.cuda.host.remote;

import java.nio.ByteBuffer;

import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.cuda.host.wire.HostOperation;

/**
 * Memory of the device that a host uses. What is copied crosses the socket in pieces that
 * a frame has room for.
 *
 * @since 0.2.0
 */
public final class RemoteMemory implements DeviceMemory {

	private final RemoteCalls calls;

	private final long address;

	private final long bytes;

	private boolean closed;

	public RemoteMemory(RemoteCalls calls, long address, long bytes) {
		this.calls = calls;
		this.address = address;
		this.bytes = bytes;
	}

	@Override
	public long address() {
		return this.address;
	}

	@Override
	public long bytes() {
		return this.bytes;
	}

	@Override
	public synchronized void upload(long offset, ByteBuffer source) {
		checkRange(offset, source.remaining());
		this.calls.send(HostOperation.UPLOAD, (out) -> {
		}, offset, source.duplicate());
	}

	@Override
	public synchronized void download(long offset, ByteBuffer target) {
		checkRange(offset, target.remaining());
		this.calls.receive(HostOperation.DOWNLOAD, (out) -> {
		}, offset, target.duplicate());
	}

	private void checkRange(long offset, int length) {
		if (this.closed) {
			throw new IllegalStateException("This device memory has been closed");
		}
		if (offset < 0 || length > this.bytes - offset) {
			throw new IndexOutOfBoundsException(
					"%d B at offset %d do not lie within %d B".formatted(length, offset, this.bytes));
		}
	}

	@Override
	public boolean isLost() {
		return this.calls.host().isEnding();
	}

	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.calls.host()
				.callUnlessEnded(this.calls.kernelId(), HostOperation.FREE, (out) -> out.writeInt(this.calls.number()),
						RemoteCalls.PATIENCE);
		}
	}

}
