package io.ringkernel;

/**
 * Many small messages in one: the elements of the only component of a record, such as
 * {@code record Ticks(@Capacity(256) Tick[] ticks)}, in memory of a {@link FrameStream}.
 * The elements are read and written there as they lie, by the offset of a component, so
 * that none of them becomes an object:
 *
 * <pre class="code">
 * static final int PRICE = MessageLayout.of(Tick.class).offset("price", double.class);
 *
 * Frame ticks = stream.request();
 * for (int i = 0; i &lt; count; i++) {
 *     ticks.putDouble(i, PRICE, prices[i]);
 * }
 * stream.send(count);
 * </pre>
 *
 * Keep offsets in constants, as here: that makes an access twice as fast.
 * {@link io.ringkernel.message.MessageLayout#offset} checks the component's name and
 * type. A {@code boolean} is a byte of 0 or 1, a {@code char} a {@code short}, and an
 * enum the {@code int} of its ordinal. For one thread at a time.
 * <p>
 * Every access throws an {@link IndexOutOfBoundsException} if there is no such element,
 * or if the value would lie beyond it.
 *
 * @since 0.2.0
 */
public interface Frame {

	/**
	 * The most elements of a frame.
	 * @return the capacity that the record declares
	 */
	int capacity();

	/**
	 * How many elements the message has that was received into this frame, or that was
	 * last sent from it.
	 * @return a count from 0 to {@link #capacity()}
	 */
	int size();

	/**
	 * Reads a {@code byte}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @return the value
	 */
	byte getByte(int element, int offset);

	/**
	 * Writes a {@code byte}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @param value the value
	 */
	void putByte(int element, int offset, byte value);

	/**
	 * Reads a {@code short}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @return the value
	 */
	short getShort(int element, int offset);

	/**
	 * Writes a {@code short}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @param value the value
	 */
	void putShort(int element, int offset, short value);

	/**
	 * Reads an {@code int}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @return the value
	 */
	int getInt(int element, int offset);

	/**
	 * Writes an {@code int}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @param value the value
	 */
	void putInt(int element, int offset, int value);

	/**
	 * Reads a {@code long}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @return the value
	 */
	long getLong(int element, int offset);

	/**
	 * Writes a {@code long}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @param value the value
	 */
	void putLong(int element, int offset, long value);

	/**
	 * Reads a {@code float}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @return the value
	 */
	default float getFloat(int element, int offset) {
		return Float.intBitsToFloat(getInt(element, offset));
	}

	/**
	 * Writes a {@code float}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @param value the value
	 */
	default void putFloat(int element, int offset, float value) {
		putInt(element, offset, Float.floatToRawIntBits(value));
	}

	/**
	 * Reads a {@code double}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @return the value
	 */
	default double getDouble(int element, int offset) {
		return Double.longBitsToDouble(getLong(element, offset));
	}

	/**
	 * Writes a {@code double}.
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
	 * @param value the value
	 */
	default void putDouble(int element, int offset, double value) {
		putLong(element, offset, Double.doubleToRawLongBits(value));
	}

}
