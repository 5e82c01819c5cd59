package io.ringkernel.message.inplace;

import io.ringkernel.Frame;
import io.ringkernel.InPlaceRequest;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.message.inplace.SlotArrays.SlotArray;

/**
 * A request that is written in a slot. Its arrays lie one behind the other in the order
 * in which they are begun, so only the bytes in use cross the bus; what describes them is
 * written last, so nothing that a user writes into the fixed block can change it. For one
 * thread at a time.
 *
 * @since 0.2.0
 */
public final class SlotRequest implements InPlaceRequest {

	private final MessageLayout<?> layout;

	private final SlotArrays arrays;

	private MessageBuffer memory;

	private int at;

	private int end;

	/** Where the array that was begun last is described. */
	private int latest;

	/**
	 * Creates a request that is in no slot.
	 * @param layout its layout
	 */
	public SlotRequest(MessageLayout<?> layout) {
		this.layout = layout;
		this.arrays = new SlotArrays(layout);
		this.memory = MessageBuffer.allocate(0);
	}

	/**
	 * Begins a request of zeros and empty arrays.
	 * @param target the memory, which has room for {@link MessageLayout#maxSize()}
	 * @param offset where the request begins, a multiple of 16
	 */
	public void begin(MessageBuffer target, int offset) {
		this.memory = target;
		this.at = offset;
		this.end = this.layout.fixedSize();
		this.latest = -1;
		target.zero(offset, offset + this.end);
		this.arrays.fields().open(target.bytes(), offset, 1);
	}

	@Override
	public Frame fields() {
		return this.arrays.fields().requireOpen();
	}

	@Override
	public Frame array(String component, int size) {
		this.arrays.fields().requireOpen();
		SlotArray array = this.arrays.get(component);
		if (array.offset() <= this.latest) {
			throw new InvalidMessageException(this.layout.type(), component,
					"or a later array was begun before: begin each array once, in the order of the components");
		}
		array.description().requireRoom(size);
		int begin = this.end;
		if (size != 0) {
			begin = MessageBuffer.aligned(this.end);
			this.memory.zero(this.at + this.end, this.at + begin);
			this.end = begin + size * array.description().elementSize();
		}
		this.latest = array.offset();
		array.frame().open(this.memory.bytes(), this.at + begin, size);
		return array.frame();
	}

	/**
	 * Makes what was written a message.
	 * @return its encoded size in bytes
	 */
	public int encode() {
		int part = this.layout.fixedSize();
		for (int i = 0; i < this.arrays.inOrder().size(); i++) {
			SlotArray array = this.arrays.inOrder().get(i);
			int size = array.frame().size();
			int described = this.at + array.offset();
			part = (size != 0) ? MessageBuffer.aligned(part) : part;
			this.memory.putInt(described, (size != 0) ? part : 0);
			this.memory.putInt(described + Integer.BYTES, size);
			part += size * array.description().elementSize();
		}
		return this.end;
	}

	/**
	 * Ends all access to the memory.
	 */
	public void release() {
		this.arrays.close();
	}

}
