package io.ringkernel.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DevicePointer;

/**
 * Memory of a device of this process.
 */
final class CudaDeviceMemory implements DeviceMemory {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/** What is copied in one call, so that a long copy lets others' calls through. */
	private static final int PIECE = 8 << 20;

	private final CudaDevice device;

	private final DevicePointer base;

	private final long bytes;

	private boolean closed;

	private CudaDeviceMemory(CudaDevice device, DevicePointer base, long bytes) {
		this.device = device;
		this.base = base;
		this.bytes = bytes;
	}

	/**
	 * Allocates memory; what it holds is not defined. Fails with a {@code CudaException}
	 * if there is too little.
	 */
	static CudaDeviceMemory allocate(CudaDevice device, long bytes) {
		return new CudaDeviceMemory(device, device.resources().allocate(bytes, PATIENCE), bytes);
	}

	@Override
	public long address() {
		return this.base.address();
	}

	@Override
	public long bytes() {
		return this.bytes;
	}

	@Override
	public synchronized void upload(long offset, ByteBuffer source) {
		copy(offset, source.duplicate(), (device, rest, piece, stream) -> {
			piece.put(rest.slice(rest.position(), piece.limit())).flip();
			context().upload(device, piece, stream);
			await(stream);
			rest.position(rest.position() + piece.limit());
		});
	}

	@Override
	public synchronized void download(long offset, ByteBuffer target) {
		copy(offset, target.duplicate(), (device, rest, piece, stream) -> {
			context().download(piece, device, stream);
			await(stream);
			rest.put(piece);
		});
	}

	@Override
	public boolean isLost() {
		return this.device.lost() != null;
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

	private void copy(long offset, ByteBuffer rest, Copy copy) {
		checkRange(offset, rest.remaining());
		ByteBuffer piece = ByteBuffer.allocateDirect(Math.min(rest.remaining(), PIECE)).order(ByteOrder.LITTLE_ENDIAN);
		CudaStream stream = context().createStream();
		try {
			DevicePointer place = this.base.plus(offset);
			while (rest.hasRemaining()) {
				piece.clear().limit(Math.min(piece.capacity(), rest.remaining()));
				copy.piece(place, rest, piece, stream);
				place = place.plus(piece.limit());
			}
		}
		finally {
			context().destroy(stream);
		}
	}

	private CudaContext context() {
		return this.device.resources().context();
	}

	private void await(CudaStream stream) {
		Deadline.await("a copy", context(), stream, PATIENCE);
	}

	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.device.resources().free(this.base);
		}
	}

	/** Copies one piece: as much as the limit of its buffer says. */
	private interface Copy {

		void piece(DevicePointer device, ByteBuffer rest, ByteBuffer piece, CudaStream stream);

	}

}
