package io.ringkernel.cuda.transport;

import io.ringkernel.message.buffer.MessageBuffer;

/**
 * Copies between buffers of the host and the device's copy of a region. An offset is the
 * same in the buffer and in the region; it and the size are multiples of 8 bytes.
 * <p>
 * Copies take place in the order of the calls: what a later one has brought to the device
 * is not seen there before what an earlier one has. They may still be under way when the
 * call returns; until they have been waited for, the bytes of the buffer are left alone.
 */
interface RegionCopies {

	/** Copies from a buffer to the device. */
	void toDevice(MessageBuffer source, int offset, int bytes);

	/** Copies from the device to a buffer. */
	void toHost(MessageBuffer target, int offset, int bytes);

}
