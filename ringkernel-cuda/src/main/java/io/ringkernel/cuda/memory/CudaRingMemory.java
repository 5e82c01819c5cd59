package io.ringkernel.cuda.memory;

import java.nio.ByteBuffer;
import java.time.Duration;

import io.ringkernel.backend.RingMemory;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.ManagedMemory;
import io.ringkernel.message.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the host that begins on a page and is whole pages long, so that registering
 * it concerns no other memory; or managed memory, which needs no registering.
 *
 * @since 0.2.0
 */
public final class CudaRingMemory implements RingMemory {

	private static final int PAGE = 4096;

	private final DeviceResources resources;

	private final ByteBuffer pages;

	/** Where managed memory lies on the device. */
	private final @Nullable DevicePointer managed;

	private final MessageBuffer buffer;

	private CudaRingMemory(DeviceResources resources, ByteBuffer pages, @Nullable DevicePointer managed) {
		this.resources = resources;
		this.pages = pages;
		this.managed = managed;
		this.buffer = MessageBuffer.wrap(pages);
	}

	public static CudaRingMemory allocate(DeviceResources resources, int bytes) {
		int whole = wholePages(bytes);
		ByteBuffer aligned = ByteBuffer.allocateDirect(Math.addExact(whole, PAGE)).alignedSlice(PAGE);
		return new CudaRingMemory(resources, aligned.slice(0, whole), null);
	}

	/**
	 * Takes memory that is mapped already.
	 * @param pages whole pages
	 */
	public static CudaRingMemory over(DeviceResources resources, ByteBuffer pages) {
		if (pages.capacity() % PAGE != 0 || pages.alignmentOffset(0, PAGE) != 0) {
			throw new IllegalArgumentException("%d B that begin %d B behind a page are no whole pages"
				.formatted(pages.capacity(), pages.alignmentOffset(0, PAGE)));
		}
		return new CudaRingMemory(resources, pages, null);
	}

	/**
	 * Takes managed memory. It goes back when no thread can reach it any more, and not
	 * when it is closed: a thread that takes its kernel for active may still look at it
	 * then.
	 */
	public static CudaRingMemory managed(DeviceResources resources, String id, int bytes, Duration patience) {
		ManagedMemory memory = resources.managedRings().take(id, wholePages(bytes), patience);
		CudaRingMemory ring = new CudaRingMemory(resources, memory.buffer(), memory.address());
		resources.managedRings().takeBackAfter(ring.buffer(), memory);
		return ring;
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

	/**
	 * Where managed memory lies on the device; {@code null} for memory of the host.
	 */
	public @Nullable DevicePointer managed() {
		return this.managed;
	}

	@Override
	public void close() {
		if (this.managed == null) {
			this.resources.registrations().unregisterLater(this.pages);
		}
	}

}
