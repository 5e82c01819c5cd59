package io.ringkernel.message.inplace;

import java.util.Objects;

import io.ringkernel.exception.MessageReleasedException;
import io.ringkernel.message.buffer.MessageBuffer;

/**
 * A part of a message in a slot, for as long as it is open. Each access compares the
 * element with {@link #size()}, which is 0 while it is closed, so the check for a message
 * that was released costs nothing.
 */
final class SlotFrame extends MemoryFrame {

	private final Class<?> message;

	private final int capacity;

	private final int stride;

	private int begin;

	private int size;

	private boolean open;

	SlotFrame(Class<?> message, int capacity, int stride) {
		super(MessageBuffer.allocate(0));
		this.message = message;
		this.capacity = capacity;
		this.stride = stride;
	}

	void open(MessageBuffer memory, int at, int elements) {
		this.memory = memory;
		this.begin = at;
		this.size = elements;
		this.open = true;
	}

	void close() {
		this.size = 0;
		this.open = false;
	}

	SlotFrame requireOpen() {
		if (!this.open) {
			throw new MessageReleasedException(this.message);
		}
		return this;
	}

	@Override
	public int capacity() {
		return this.capacity;
	}

	@Override
	public int size() {
		return this.size;
	}

	@Override
	int at(int element, int offset, int bytes) {
		if (element < 0 || element >= this.size) {
			requireOpen();
			throw new IndexOutOfBoundsException(
					"There is no element %d; the message has %d.".formatted(element, this.size));
		}
		Objects.checkIndex(offset, this.stride - bytes + 1);
		return this.begin + element * this.stride + offset;
	}

}
