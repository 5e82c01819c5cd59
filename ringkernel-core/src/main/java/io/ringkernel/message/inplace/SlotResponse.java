package io.ringkernel.message.inplace;

import io.ringkernel.Frame;
import io.ringkernel.InPlaceResponse;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.message.inplace.SlotArrays.SlotArray;

/**
 * A response that is read in a slot. What describes its arrays is read once and checked,
 * so a kernel that changes it later moves nothing. For one thread at a time.
 *
 * @since 0.2.0
 */
public final class SlotResponse implements InPlaceResponse {

	private final MessageLayout<?> layout;

	private final SlotArrays arrays;

	/**
	 * Creates a response that is in no slot.
	 * @param layout its layout
	 */
	public SlotResponse(MessageLayout<?> layout) {
		this.layout = layout;
		this.arrays = new SlotArrays(layout);
	}

	/**
	 * Takes what lies in memory for a message, which may come from anywhere.
	 * @param source the memory
	 * @param at where the message begins
	 * @param length its length, which lies within the memory
	 * @throws CorruptMessageException if it is no message of this layout
	 */
	public void decode(MessageBuffer source, int at, int length) {
		this.layout.requireLength(length);
		boolean decoded = false;
		try {
			for (int i = 0; i < this.arrays.inOrder().size(); i++) {
				SlotArray array = this.arrays.inOrder().get(i);
				int begin = source.getInt(at + array.offset());
				int size = source.getInt(at + array.offset() + Integer.BYTES);
				if (size != 0) {
					array.description().requireWithin(begin, size, length);
				}
				array.frame().open(source.bytes(), at + ((size != 0) ? begin : 0), size);
			}
			this.arrays.fields().open(source.bytes(), at, 1);
			decoded = true;
		}
		finally {
			if (!decoded) {
				release();
			}
		}
	}

	@Override
	public Frame fields() {
		return this.arrays.fields().requireOpen();
	}

	@Override
	public Frame array(String component) {
		return this.arrays.get(component).frame().requireOpen();
	}

	/**
	 * Ends all access to the memory.
	 */
	public void release() {
		this.arrays.close();
	}

}
