package io.ringkernel.message.inplace;

import io.ringkernel.Frame;
import io.ringkernel.message.buffer.MessageBuffer;

/**
 * A frame whose elements lie in memory, one behind the other.
 */
abstract class MemoryFrame implements Frame {

	MessageBuffer memory;

	MemoryFrame(MessageBuffer memory) {
		this.memory = memory;
	}

	/**
	 * Where some bytes of an element lie in the memory.
	 * @throws IndexOutOfBoundsException if there is no such element, or it does not have
	 * them
	 */
	abstract int at(int element, int offset, int bytes);

	@Override
	public byte getByte(int element, int offset) {
		return this.memory.getByte(at(element, offset, Byte.BYTES));
	}

	@Override
	public void putByte(int element, int offset, byte value) {
		this.memory.putByte(at(element, offset, Byte.BYTES), value);
	}

	@Override
	public short getShort(int element, int offset) {
		return this.memory.getShort(at(element, offset, Short.BYTES));
	}

	@Override
	public void putShort(int element, int offset, short value) {
		this.memory.putShort(at(element, offset, Short.BYTES), value);
	}

	@Override
	public int getInt(int element, int offset) {
		return this.memory.getInt(at(element, offset, Integer.BYTES));
	}

	@Override
	public void putInt(int element, int offset, int value) {
		this.memory.putInt(at(element, offset, Integer.BYTES), value);
	}

	@Override
	public long getLong(int element, int offset) {
		return this.memory.getLong(at(element, offset, Long.BYTES));
	}

	@Override
	public void putLong(int element, int offset, long value) {
		this.memory.putLong(at(element, offset, Long.BYTES), value);
	}

}
