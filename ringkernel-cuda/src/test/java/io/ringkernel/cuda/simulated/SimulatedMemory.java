package io.ringkernel.cuda.simulated;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.cuda.driver.DevicePointer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a simulated device. As on a real one, sixteen bytes move at once.
 */
final class SimulatedMemory {

	private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final int UNIT = 16;

	/** From the address of one piece to that of the next. */
	private static final long STEP = 1L << 32;

	private final AtomicLong addresses = new AtomicLong(STEP);

	private final Map<Long, Long> sizes = new ConcurrentHashMap<>();

	/** Memory of the host. */
	private final Map<Long, ByteBuffer> registered = new ConcurrentHashMap<>();

	private volatile @Nullable RuntimeException registrationFailure;

	private volatile boolean registersInSpite;

	/** What was touched. */
	private final Map<Long, ByteBuffer> contents = new ConcurrentHashMap<>();

	void failRegistrations(@Nullable RuntimeException failure, boolean inSpite) {
		this.registrationFailure = failure;
		this.registersInSpite = inSpite;
	}

	DevicePointer register(ByteBuffer memory) {
		if (this.registered.values().stream().anyMatch((known) -> known == memory)) {
			throw SimulatedCalls.failed("cuMemHostRegister", 712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED");
		}
		long address = this.addresses.getAndAdd(STEP);
		RuntimeException failure = this.registrationFailure;
		if (failure == null || this.registersInSpite) {
			this.registered.put(address, memory);
		}
		if (failure != null) {
			throw failure;
		}
		return new DevicePointer(address);
	}

	void unregister(ByteBuffer memory) {
		if (!this.registered.values().removeIf((known) -> known == memory)) {
			throw SimulatedCalls.failed("cuMemHostUnregister", 713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED");
		}
	}

	/** Host memory that is registered at an address. */
	@Nullable ByteBuffer registered(long address) {
		return this.registered.get(address);
	}

	int registrations() {
		return this.registered.size();
	}

	DevicePointer allocate(long bytes) {
		long address = this.addresses.getAndAdd(STEP);
		this.sizes.put(address, bytes);
		return new DevicePointer(address);
	}

	void free(DevicePointer memory) {
		this.sizes.remove(memory.address());
		this.contents.remove(memory.address());
	}

	long allocatedBytes() {
		return this.sizes.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * What lies at an address.
	 * @return all of the piece that begins there, or {@code null} if none does
	 */
	@Nullable ByteBuffer at(long address) {
		Long bytes = this.sizes.get(address);
		return (bytes == null) ? null
				: this.contents.computeIfAbsent(address, (key) -> ByteBuffer.allocateDirect(Math.toIntExact(bytes)));
	}

	void zero(DevicePointer memory) {
		this.contents.remove(memory.address());
	}

	void upload(DevicePointer target, ByteBuffer source) {
		ByteBuffer piece = pieceOf(target);
		copy(source, 0, piece, (int) (target.address() % STEP), source.remaining());
	}

	void download(ByteBuffer target, DevicePointer source) {
		ByteBuffer piece = pieceOf(source);
		copy(piece, (int) (source.address() % STEP), target, 0, target.remaining());
	}

	private ByteBuffer pieceOf(DevicePointer pointer) {
		ByteBuffer piece = at(pointer.address() / STEP * STEP);
		if (piece == null) {
			throw new IllegalStateException("Nothing is allocated at " + pointer);
		}
		return piece;
	}

	/**
	 * The second word first: where it has the tag that is looked for, so has the first.
	 */
	private static void copy(ByteBuffer source, int from, ByteBuffer target, int to, int bytes) {
		ByteBuffer in = source.slice(from, bytes).order(ByteOrder.LITTLE_ENDIAN);
		ByteBuffer out = target.slice(to, bytes).order(ByteOrder.LITTLE_ENDIAN);
		int at = 0;
		for (; at + UNIT <= bytes; at += UNIT) {
			long second = (long) WORD.getAcquire(in, at + Long.BYTES);
			out.putLong(at, in.getLong(at));
			WORD.setRelease(out, at + Long.BYTES, second);
		}
		for (; at < bytes; at++) {
			out.put(at, in.get(at));
		}
	}

}
