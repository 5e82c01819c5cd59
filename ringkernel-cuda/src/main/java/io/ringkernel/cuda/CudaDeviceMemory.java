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
	 * Allocates memory; what it holds is not defined.
	 * @throws io.ringkernel.cuda.driver.CudaException if there is too little
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
		checkRange(offset, source.remaining());
		ByteBuffer rest = source.duplicate();
		ByteBuffer piece = piece(rest.remaining());
		onStream((context, stream) -> {
			DevicePointer target = this.base.plus(offset);
			while (rest.hasRemaining()) {
				int length = Math.min(piece.capacity(), rest.remaining());
				piece.clear().put(rest.slice(rest.position(), length)).flip();
				context.upload(target, piece, stream);
				Deadline.await("a copy", context, stream, PATIENCE);
				rest.position(rest.position() + length);
				target = target.plus(length);
			}
		});
	}

	@Override
	public synchronized void download(long offset, ByteBuffer target) {
		checkRange(offset, target.remaining());
		ByteBuffer rest = target.duplicate();
		ByteBuffer piece = piece(rest.remaining());
		onStream((context, stream) -> {
			DevicePointer source = this.base.plus(offset);
			while (rest.hasRemaining()) {
				int length = Math.min(piece.capacity(), rest.remaining());
				piece.clear().limit(length);
				context.download(piece, source, stream);
				Deadline.await("a copy", context, stream, PATIENCE);
				rest.put(piece);
				source = source.plus(length);
			}
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

	private static ByteBuffer piece(int bytes) {
		return ByteBuffer.allocateDirect(Math.min(bytes, PIECE)).order(ByteOrder.LITTLE_ENDIAN);
	}

	private void onStream(Copy copy) {
		CudaContext context = this.device.resources().context();
		CudaStream stream = context.createStream();
		try {
			copy.run(context, stream);
		}
		finally {
			context.destroy(stream);
		}
	}

	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.device.resources().free(this.base);
		}
	}

	private interface Copy {

		void run(CudaContext context, CudaStream stream);

	}

}
