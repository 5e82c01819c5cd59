package io.ringkernel.message.inplace;

import java.nio.ByteBuffer;
import java.util.Objects;

import io.ringkernel.Frame;
import io.ringkernel.exception.MessageReleasedException;

/**
 * A part of a message in a slot, for as long as it is open. Each access compares the
 * element with {@link #size()}, which is 0 while it is closed, so the check for a message
 * that was released costs nothing.
 */
final class SlotFrame implements Frame {

	private final Class<?> message;

	private final int capacity;

	private final int stride;

	private ByteBuffer bytes;

	private int begin;

	private int size;

	private boolean open;

	/**
	 * Creates a frame that is closed.
	 * @param message the record, for exceptions
	 * @param capacity the most elements
	 * @param stride the bytes of each
	 */
	SlotFrame(Class<?> message, int capacity, int stride) {
		this.message = message;
		this.capacity = capacity;
		this.stride = stride;
		this.bytes = ByteBuffer.allocate(0);
	}

	/**
	 * Opens the frame over elements that lie within the memory.
	 */
	void open(ByteBuffer memory, int at, int elements) {
		this.bytes = memory;
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
	public byte getByte(int element, int offset) {
		return this.bytes.get(at(element, offset, Byte.BYTES));
	}

	@Override
	public void putByte(int element, int offset, byte value) {
		this.bytes.put(at(element, offset, Byte.BYTES), value);
	}

	@Override
	public short getShort(int element, int offset) {
		return this.bytes.getShort(at(element, offset, Short.BYTES));
	}

	@Override
	public void putShort(int element, int offset, short value) {
		this.bytes.putShort(at(element, offset, Short.BYTES), value);
	}

	@Override
	public int getInt(int element, int offset) {
		return this.bytes.getInt(at(element, offset, Integer.BYTES));
	}

	@Override
	public void putInt(int element, int offset, int value) {
		this.bytes.putInt(at(element, offset, Integer.BYTES), value);
	}

	@Override
	public long getLong(int element, int offset) {
		return this.bytes.getLong(at(element, offset, Long.BYTES));
	}

	@Override
	public void putLong(int element, int offset, long value) {
		this.bytes.putLong(at(element, offset, Long.BYTES), value);
	}

	private int at(int element, int offset, int bytes) {
		if (element < 0 || element >= this.size) {
			requireOpen();
			throw new IndexOutOfBoundsException(
					"There is no element %d; the message has %d.".formatted(element, this.size));
		}
		Objects.checkIndex(offset, this.stride - bytes + 1);
		return this.begin + element * this.stride + offset;
	}

}
