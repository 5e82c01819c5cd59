package io.ringkernel.cuda;

import java.nio.ByteBuffer;

import io.ringkernel.backend.RingMemory;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.message.MessageBuffer;

/**
 * Host memory that begins on a page and is whole pages long, so that registering it
 * concerns nobody else's memory.
 */
final class CudaRingMemory implements RingMemory {

	private static final int PAGE = 4096;

	private final CudaDevice device;

	private final ByteBuffer pages;

	private final MessageBuffer buffer;

	private CudaRingMemory(CudaDevice device, ByteBuffer pages) {
		this.device = device;
		this.pages = pages;
		this.buffer = MessageBuffer.wrap(pages);
	}

	static CudaRingMemory allocate(CudaDevice device, int bytes) {
		int whole = Math.addExact(bytes, PAGE - 1) / PAGE * PAGE;
		ByteBuffer aligned = ByteBuffer.allocateDirect(Math.addExact(whole, PAGE)).alignedSlice(PAGE);
		return new CudaRingMemory(device, aligned.slice(0, whole));
	}

	@Override
	public MessageBuffer buffer() {
		return this.buffer;
	}

	ByteBuffer pages() {
		return this.pages;
	}

	/**
	 * Makes the memory accessible to the device. Only called while no kernel runs.
	 */
	DevicePointer register() {
		return this.device.register(this.pages);
	}

	@Override
	public void close() {
		this.device.unregisterLater(this.pages);
	}

}
