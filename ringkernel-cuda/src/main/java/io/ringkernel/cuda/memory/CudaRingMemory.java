package io.ringkernel.cuda.memory;

import java.nio.ByteBuffer;

import io.ringkernel.backend.RingMemory;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.message.buffer.MessageBuffer;

/**
 * Memory of the host that begins on a page and is whole pages long, so that registering
 * it concerns no other memory.
 *
 * @since 0.2.0
 */
public final class CudaRingMemory implements RingMemory {

	private static final int PAGE = 4096;

	private final DeviceResources resources;

	private final ByteBuffer pages;

	private final MessageBuffer buffer;

	private CudaRingMemory(DeviceResources resources, ByteBuffer pages) {
		this.resources = resources;
		this.pages = pages;
		this.buffer = MessageBuffer.wrap(pages);
	}

	/**
	 * Allocates memory.
	 * @throws KernelLaunchException if there is too little direct memory
	 */
	public static CudaRingMemory allocate(DeviceResources resources, String id, int bytes) {
		try {
			int whole = wholePages(bytes);
			ByteBuffer aligned = ByteBuffer.allocateDirect(Math.addExact(whole, PAGE)).alignedSlice(PAGE);
			return new CudaRingMemory(resources, aligned.slice(0, whole));
		}
		catch (OutOfMemoryError | ArithmeticException ex) {
			throw new KernelLaunchException(id, "%d B of direct memory are not to be had.".formatted(bytes),
					"Lower ring-memory, or raise -XX:MaxDirectMemorySize.", ex);
		}
	}

	/** Takes whole pages that are mapped already. */
	public static CudaRingMemory over(DeviceResources resources, ByteBuffer pages) {
		if (pages.capacity() % PAGE != 0 || pages.alignmentOffset(0, PAGE) != 0) {
			throw new IllegalArgumentException("%d B that begin %d B behind a page are no whole pages"
				.formatted(pages.capacity(), pages.alignmentOffset(0, PAGE)));
		}
		return new CudaRingMemory(resources, pages);
	}

	private static int wholePages(int bytes) {
		return Math.addExact(bytes, PAGE - 1) / PAGE * PAGE;
	}

	@Override
	public MessageBuffer buffer() {
		return this.buffer;
	}

	public ByteBuffer pages() {
		return this.pages;
	}

	@Override
	public void close() {
		this.resources.registrations().unregisterLater(this.pages);
	}

}
