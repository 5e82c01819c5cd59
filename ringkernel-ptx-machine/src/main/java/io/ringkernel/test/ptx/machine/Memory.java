package io.ringkernel.test.ptx.machine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * All memory that a device reaches. Each allocation has an address space of 4 GiB for
 * itself: the upper half of an address names the allocation, the lower half the byte in
 * it. An access beyond the end of one therefore never reaches another.
 * <p>
 * Any thread may call it. Nothing lies at address 0.
 *
 * @since 0.2.0
 */
public final class Memory {

	/**
	 * So many allocations are made before the address of one that is freed comes back.
	 */
	private static final int QUARANTINE = 256;

	private final Deque<Integer> freed = new ArrayDeque<>();

	private volatile @Nullable ByteBuffer[] segments = new ByteBuffer[64];

	private @Nullable String[] names = new String[64];

	private int used = 1;

	/**
	 * Makes bytes reachable, and returns the address of the first.
	 * @param bytes direct memory; all of it, from its first byte to its capacity
	 */
	public synchronized long add(String name, ByteBuffer bytes) {
		int segment = (this.freed.size() > QUARANTINE) ? this.freed.remove() : this.used++;
		@Nullable ByteBuffer[] all = Arrays.copyOf(this.segments, Math.max(this.segments.length, grown(segment)));
		this.names = Arrays.copyOf(this.names, all.length);
		this.names[segment] = name;
		all[segment] = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
		this.segments = all;
		return (long) segment << Integer.SIZE;
	}

	private static int grown(int segment) {
		return Integer.highestOneBit(segment) << 1;
	}

	/**
	 * Allocates memory, and returns its address. Its bytes have a pattern, as memory of a
	 * device is not zero.
	 */
	public long allocate(String name, int bytes) {
		ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
		while (memory.hasRemaining()) {
			memory.put((byte) 0xa5);
		}
		return add(name, memory);
	}

	/**
	 * Frees what begins at an address.
	 * @throws IllegalArgumentException if nothing is there
	 */
	public synchronized void remove(long address) {
		int segment = (int) (address >>> Integer.SIZE);
		if ((int) address != 0 || segment(address) == null) {
			throw new IllegalArgumentException("Nothing begins at 0x%x: %s".formatted(address, describe(address)));
		}
		@Nullable ByteBuffer[] all = this.segments.clone();
		all[segment] = null;
		this.segments = all;
		this.freed.add(segment);
	}

	/**
	 * What an address lies in.
	 * @return the bytes of the allocation, little-endian, or {@code null} if nothing is
	 * allocated there. The lower half of the address may lie beyond their end.
	 */
	public @Nullable ByteBuffer segment(long address) {
		@Nullable ByteBuffer[] all = this.segments;
		int segment = (int) (address >>> Integer.SIZE);
		return (segment >= 0 && segment < all.length) ? all[segment] : null;
	}

	/**
	 * Some bytes.
	 * @return the bytes, little-endian
	 * @throws IllegalArgumentException if not all of them are allocated
	 */
	public ByteBuffer slice(long address, long bytes) {
		ByteBuffer segment = segment(address);
		int offset = (int) address;
		if (segment == null || offset < 0 || offset + bytes > segment.capacity()) {
			throw new IllegalArgumentException(
					"%d bytes at 0x%x are not allocated: %s".formatted(bytes, address, describe(address)));
		}
		return segment.slice(offset, Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
	}

	/**
	 * Says where an address lies.
	 * @return what is allocated there, its size, and how far into it the address lies
	 */
	public synchronized String describe(long address) {
		int segment = (int) (address >>> Integer.SIZE);
		String name = (segment > 0 && segment < this.names.length) ? this.names[segment] : null;
		if (name == null) {
			return "nothing was ever allocated there";
		}
		ByteBuffer bytes = this.segments[segment];
		String offset = Integer.toUnsignedString((int) address);
		return (bytes == null) ? "byte %s of %s, which is freed".formatted(offset, name)
				: "byte %s of %s, which has %d".formatted(offset, name, bytes.capacity());
	}

}
