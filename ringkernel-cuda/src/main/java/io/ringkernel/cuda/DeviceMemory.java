package io.ringkernel.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.cuda.memory.DeviceHeap;

/**
 * Memory of the device for what is too large, or too often used, to travel in messages: a
 * message carries its {@link #address} as a {@code long}, and the handler reads there.
 * <p>
 * All of it may be used while kernels run; whether a kernel reads what is being written
 * is the caller's to order, by sending the request that uses it after the upload has
 * returned. A kernel that has read some of it before may still have that in its L1 cache:
 * upload new content to new memory, or let the handler read it with {@code __ldcg}. Safe
 * for use by any number of threads.
 *
 * @since 0.1.0
 */
public final class DeviceMemory implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/** What is copied in one call, so that a long copy lets others' calls through. */
	private static final int PIECE = 8 << 20;

	/** How many of them are open in this process. */
	private static final AtomicInteger open = new AtomicInteger();

	private final CudaDevice device;

	private final DevicePointer base;

	private final long bytes;

	private boolean closed;

	private DeviceMemory(CudaDevice device, DevicePointer base, long bytes) {
		this.device = device;
		this.base = base;
		this.bytes = bytes;
	}

	/**
	 * Allocates memory on the first device; what it holds is not defined.
	 * @param bytes how much; positive
	 * @return the memory
	 * @throws io.ringkernel.RingKernelException if there is no CUDA device, or too little
	 * memory on it
	 */
	public static DeviceMemory allocate(long bytes) {
		return allocate(bytes, 0);
	}

	/**
	 * Allocates memory on the device of the kernels that use it; what it holds is not
	 * defined.
	 * @param bytes how much; positive
	 * @param device the device, from 0, as CUDA counts those that the process sees
	 * @return the memory
	 * @throws io.ringkernel.RingKernelException if there is no such CUDA device, or too
	 * little memory on it, or if kernels run in a process of their own, where they cannot
	 * use it
	 * @since 0.2.0
	 */
	public static DeviceMemory allocate(long bytes, int device) {
		if (KernelHostProvider.isInUse()) {
			throw new CudaUnavailableException(
					"kernels run in a process of their own, which cannot use device memory of this one",
					"Set ringkernel.isolation to none.", null);
		}
		return allocate(CudaPlatform.system().device(device), bytes);
	}

	static DeviceMemory allocate(CudaDevice device, long bytes) {
		if (bytes <= 0) {
			throw new IllegalArgumentException("bytes is " + bytes + "; it must be positive");
		}
		DeviceMemory memory = new DeviceMemory(device, device.resources().allocate(bytes, PATIENCE), bytes);
		open.incrementAndGet();
		return memory;
	}

	/**
	 * Whether this process has device memory whose address a kernel may be sent.
	 */
	static boolean isInUse() {
		return open.get() > 0;
	}

	/**
	 * Where the memory lies, as the device sees it.
	 * @return the address, to be sent in messages
	 */
	public long address() {
		return this.base.address();
	}

	/**
	 * How much memory it is.
	 * @return a count of bytes
	 */
	public long bytes() {
		return this.bytes;
	}

	/**
	 * Copies to the device; returns when it is there.
	 * @param offset where in this memory to begin, in bytes
	 * @param source what to copy, from its position to its limit; its position stays
	 * @throws IndexOutOfBoundsException if it does not fit
	 * @throws io.ringkernel.RingKernelException if the copy fails
	 */
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
				DeviceHeap.await(context, stream, PATIENCE);
				rest.position(rest.position() + length);
				target = target.plus(length);
			}
		});
	}

	/**
	 * Copies from the device; returns when it is there.
	 * @param offset where in this memory to begin, in bytes
	 * @param target where to copy to, from its position to its limit; its position stays
	 * @throws IndexOutOfBoundsException if it is more than there is
	 * @throws io.ringkernel.RingKernelException if the copy fails
	 */
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
				DeviceHeap.await(context, stream, PATIENCE);
				rest.put(piece);
				source = source.plus(length);
			}
		});
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

	/**
	 * Gives the memory back, at once if the device has memory pools. Without, the driver
	 * would block a thread that frees it while a kernel runs, so it goes back when none
	 * does. No request may use it any more.
	 */
	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			open.decrementAndGet();
			this.device.resources().free(this.base);
		}
	}

	private interface Copy {

		void run(CudaContext context, CudaStream stream);

	}

}
