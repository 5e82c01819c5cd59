package io.ringkernel.message;

/**
 * An array or string of variable length among the components of a record: where the fixed
 * block of a message describes it, and what such a description may say.
 *
 * @since 0.2.0
 */
public final class VariableArray {

	private final String name;

	private final SequenceCodec codec;

	VariableArray(String name, SequenceCodec codec) {
		this.name = name;
		this.codec = codec;
	}

	/**
	 * {@return the name of the component}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * {@return where the fixed block describes it}
	 */
	public int offset() {
		return this.codec.site().offset();
	}

	/**
	 * {@return the size of an element in a message}
	 */
	public int elementSize() {
		return this.codec.elementSize();
	}

	/**
	 * {@return the capacity: the most elements}
	 */
	public int capacity() {
		return this.codec.limit();
	}

	/**
	 * Checks a length that is to be written.
	 * @param size how many elements
	 * @throws io.ringkernel.exception.InvalidMessageException if it is negative or
	 * exceeds the capacity
	 */
	public void requireRoom(int size) {
		this.codec.requireRoom(size);
	}

	/**
	 * Checks what a message says of elements that it has.
	 * @param begin where they begin, in bytes from the start of the message
	 * @param size how many there are; not 0
	 * @param messageLength the length of the message in bytes
	 * @throws io.ringkernel.exception.CorruptMessageException if they do not lie within
	 * the message
	 */
	public void requireWithin(int begin, int size, int messageLength) {
		this.codec.requireWithin(begin, size, messageLength);
	}

}
