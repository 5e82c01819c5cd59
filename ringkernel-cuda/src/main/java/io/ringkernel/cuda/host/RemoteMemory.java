package io.ringkernel.cuda.host;

import java.nio.ByteBuffer;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.DeviceMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of the device that a host uses. What is copied crosses the socket in pieces that
 * a frame has room for.
 */
final class RemoteMemory implements DeviceMemory {

	private static final Logger logger = LoggerFactory.getLogger(RemoteMemory.class);

	private final RemoteCalls calls;

	private final long address;

	private final long bytes;

	private boolean closed;

	/**
	 * Creates it for memory that the host has allocated.
	 * @param calls what concerns it there
	 */
	RemoteMemory(RemoteCalls calls, long address, long bytes) {
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
		ByteBuffer rest = source.duplicate();
		for (long at = offset; rest.hasRemaining();) {
			long to = at;
			byte[] piece = new byte[Math.min(rest.remaining(), RemoteCalls.PIECE_BYTES)];
			rest.get(piece);
			this.calls.make(Operation.UPLOAD, (out) -> out.writeLong(to).writeBytes(piece), (answer) -> answer);
			at += piece.length;
		}
	}

	@Override
	public synchronized void download(long offset, ByteBuffer target) {
		checkRange(offset, target.remaining());
		ByteBuffer rest = target.duplicate();
		for (long at = offset; rest.hasRemaining();) {
			long from = at;
			int length = Math.min(rest.remaining(), RemoteCalls.PIECE_BYTES);
			byte[] piece = this.calls.make(Operation.DOWNLOAD, (out) -> out.writeLong(from).writeInt(length),
					(answer) -> RemoteCalls.exactly(length, answer));
			rest.put(piece);
			at += length;
		}
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
		if (this.closed) {
			return;
		}
		this.closed = true;
		try {
			if (!isLost()) {
				this.calls.make(Operation.FREE, (out) -> {
				}, (answer) -> answer);
			}
		}
		catch (DeviceLostException ex) {
			logger.debug("The memory went with its host", ex);
		}
	}

}
