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
	 * {@return the most elements of a frame, which the record declares}
	 */
	int capacity();

	/**
	 * {@return how many elements the message has that was received into this frame, or
	 * that was last sent from it; at most {@link #capacity()}}
	 */
	int size();

	/**
	 * {@return the {@code byte} at a place in an element}
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
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
	 * {@return the {@code short} at a place in an element}
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
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
	 * {@return the {@code int} at a place in an element}
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
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
	 * {@return the {@code long} at a place in an element}
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
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
	 * {@return the {@code float} at a place in an element}
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
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
	 * {@return the {@code double} at a place in an element}
	 * @param element the index of the element
	 * @param offset where the value lies in the element, in bytes
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
