package io.ringkernel.message.inplace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

import io.ringkernel.Frame;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.Field;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;

/**
 * A frame in an array of its own: a message of a record whose only component is an array
 * of records, as {@link MessageLayout} lays it out. <pre>
 *  begin                16                                        encoded size
 *  +--------+--------+---+-----------+-----------+-----------------+
 *  | 16     | length | 0 | element 0 | element 1 | …               |
 *  +--------+--------+---+-----------+-----------+-----------------+
 * </pre> An empty frame is the fixed block of eight zeros alone. The array begins and
 * ends with bytes that are never used, so that it shares no cache line with others.
 *
 * @since 0.2.0
 */
public final class FrameBuffer implements Frame {

	/** The bytes before and behind the message. */
	private static final int MARGIN = 128;

	/** The fixed block: where the elements begin, and how many there are. */
	private static final int FIXED_BYTES = 2 * Integer.BYTES;

	/** Where the elements begin: behind the fixed block, rounded up. */
	private static final int ELEMENTS = MessageBuffer.aligned(FIXED_BYTES);

	private static final VarHandle SHORT = view(short[].class);

	private static final VarHandle INT = view(int[].class);

	private static final VarHandle LONG = view(long[].class);

	private final Class<?> type;

	private final Field array;

	private final byte[] bytes;

	private final int capacity;

	private final int stride;

	/** How many elements may be read or written. */
	private int limit;

	private int size;

	/**
	 * Creates a frame of zeros.
	 * @param layout the layout of its record
	 * @throws UnsupportedMessageTypeException if the record is no frame
	 */
	public FrameBuffer(MessageLayout<?> layout) {
		this.type = layout.type();
		this.array = array(layout);
		this.capacity = this.array.count();
		this.stride = (layout.maxSize() - ELEMENTS) / this.capacity;
		this.bytes = new byte[MARGIN + layout.maxSize() + MARGIN];
		this.limit = this.capacity;
	}

	private static Field array(MessageLayout<?> layout) {
		Field first = layout.fields().get(0);
		if (layout.fields().size() != 1 || first.kind() != Field.Kind.RECORD || first.shape() != Field.Shape.VARIABLE
				|| first.optional()) {
			throw new UnsupportedMessageTypeException(layout.type(), layout.type().getSimpleName()
					+ " is no frame; declare a record whose only component is an array of records with @Capacity");
		}
		return first;
	}

	private static VarHandle view(Class<?> array) {
		return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
	}

	/**
	 * Makes the message of the first elements.
	 * @param elements how many
	 * @throws InvalidMessageException if the frame has not so many
	 */
	public void encode(int elements) {
		if (elements < 0 || elements > this.capacity) {
			throw new InvalidMessageException(this.type, this.array.name(),
					"is to have " + elements + " elements; send 0 to " + this.capacity);
		}
		this.size = elements;
		INT.set(this.bytes, MARGIN, (elements != 0) ? ELEMENTS : 0);
		INT.set(this.bytes, MARGIN + Integer.BYTES, elements);
	}

	/**
	 * Takes what was copied to {@link #begin()} for a message, which may come from
	 * anywhere. Only its elements can be read then.
	 * @param length its length
	 * @throws CorruptMessageException if it is no frame of this record
	 */
	public void decode(int length) {
		int offset = (int) INT.get(this.bytes, MARGIN);
		int elements = (int) INT.get(this.bytes, MARGIN + Integer.BYTES);
		this.limit = 0;
		this.size = 0;
		// The capacity keeps the product in range.
		if (elements < 0 || elements > this.capacity || length != encodedSize(elements)
				|| (elements != 0 && offset != ELEMENTS)) {
			throw new CorruptMessageException(
					"%s has %s elements at offset %s in %d bytes; it has 0 to %d of %d B at %d".formatted(
							this.type.getSimpleName(), Integer.toUnsignedString(elements),
							Integer.toUnsignedString(offset), length, this.capacity, this.stride, ELEMENTS));
		}
		this.limit = elements;
		this.size = elements;
	}

	/**
	 * What the message lies in.
	 * @return the array
	 */
	public byte[] bytes() {
		return this.bytes;
	}

	/**
	 * Where the message begins in the array. Behind the longest one there is room for
	 * more than what a chunk holds.
	 * @return the index of its first byte
	 */
	public int begin() {
		return MARGIN;
	}

	/**
	 * How long the message is.
	 * @return bytes
	 */
	public int encodedSize() {
		return encodedSize(this.size);
	}

	private int encodedSize(int elements) {
		return (elements != 0) ? ELEMENTS + elements * this.stride : FIXED_BYTES;
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
		return this.bytes[at(element, offset, Byte.BYTES)];
	}

	@Override
	public void putByte(int element, int offset, byte value) {
		this.bytes[at(element, offset, Byte.BYTES)] = value;
	}

	@Override
	public short getShort(int element, int offset) {
		return (short) SHORT.get(this.bytes, at(element, offset, Short.BYTES));
	}

	@Override
	public void putShort(int element, int offset, short value) {
		SHORT.set(this.bytes, at(element, offset, Short.BYTES), value);
	}

	@Override
	public int getInt(int element, int offset) {
		return (int) INT.get(this.bytes, at(element, offset, Integer.BYTES));
	}

	@Override
	public void putInt(int element, int offset, int value) {
		INT.set(this.bytes, at(element, offset, Integer.BYTES), value);
	}

	@Override
	public long getLong(int element, int offset) {
		return (long) LONG.get(this.bytes, at(element, offset, Long.BYTES));
	}

	@Override
	public void putLong(int element, int offset, long value) {
		LONG.set(this.bytes, at(element, offset, Long.BYTES), value);
	}

	private int at(int element, int offset, int bytes) {
		Objects.checkIndex(element, this.limit);
		Objects.checkIndex(offset, this.stride - bytes + 1);
		return MARGIN + ELEMENTS + element * this.stride + offset;
	}

}
