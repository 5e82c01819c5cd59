package io.ringkernel.message.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

import org.jspecify.annotations.Nullable;

/**
 * Typed little-endian views over one memory region. All access is absolute and the buffer
 * has no position of its own, so any number of threads may share it; it orders nothing
 * between them.
 * <p>
 * Single values of a buffer over an array go to the array itself: a buffer checks its
 * limit, its order and whether it is still open at each access, which together takes
 * three times as long. Small messages are made in such a buffer.
 *
 * @since 0.1.0
 */
public final class MessageBuffer {

	/**
	 * Messages and their variable parts start at multiples of this many bytes: one vector
	 * load of a GPU.
	 */
	public static final int ALIGNMENT = 16;

	private static final VarHandle SHORT = view(short[].class);

	private static final VarHandle INT = view(int[].class);

	private static final VarHandle LONG = view(long[].class);

	private final ByteBuffer bytes;

	/** What the buffer lies in, where that is an array of the same size. */
	private final byte @Nullable [] array;

	private final ShortBuffer shorts;

	private final CharBuffer chars;

	private final IntBuffer ints;

	private final LongBuffer longs;

	private final FloatBuffer floats;

	private final DoubleBuffer doubles;

	/** Takes large arrays in the place of the memory, if there is such. */
	private final @Nullable DeferredArrays deferred;

	/** Has arrays for those that are read, if there is such. */
	private final @Nullable ArraysAhead ahead;

	private MessageBuffer(ByteBuffer buffer, @Nullable DeferredArrays deferred, @Nullable ArraysAhead ahead) {
		this.deferred = deferred;
		this.ahead = ahead;
		this.bytes = buffer.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
		this.array = wholeArray(this.bytes);
		this.shorts = this.bytes.asShortBuffer();
		this.chars = this.bytes.asCharBuffer();
		this.ints = this.bytes.asIntBuffer();
		this.longs = this.bytes.asLongBuffer();
		this.floats = this.bytes.asFloatBuffer();
		this.doubles = this.bytes.asDoubleBuffer();
	}

	private static byte @Nullable [] wholeArray(ByteBuffer buffer) {
		boolean isWhole = buffer.hasArray() && buffer.arrayOffset() == 0 && buffer.array().length == buffer.capacity();
		return isWhole ? buffer.array() : null;
	}

	private static VarHandle view(Class<?> array) {
		return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
	}

	/**
	 * Allocates zeroed memory outside the Java heap.
	 * @param bytes the size in bytes
	 * @return a buffer over the new memory
	 */
	public static MessageBuffer allocate(int bytes) {
		return wrap(ByteBuffer.allocateDirect(bytes));
	}

	/**
	 * Views a buffer from its first byte to its capacity, whatever its position, limit
	 * and byte order; these stay as they are.
	 * @param buffer the memory, direct or on the heap
	 * @return a buffer over the same memory
	 */
	public static MessageBuffer wrap(ByteBuffer buffer) {
		return new MessageBuffer(buffer, null, null);
	}

	MessageBuffer deferring(DeferredArrays arrays) {
		return new MessageBuffer(this.bytes, arrays, null);
	}

	/**
	 * Whether an array is copied later than it is written here.
	 * @param array the array
	 * @param count how many elements it has
	 * @param elementSize the bytes of each
	 * @param at where the first of them goes
	 * @return whether it must not be written now
	 */
	public boolean defers(Object array, int count, int elementSize, int at) {
		return this.deferred != null && this.deferred.add(array, count, elementSize, at);
	}

	MessageBuffer reading(ArraysAhead arrays) {
		return new MessageBuffer(this.bytes, null, arrays);
	}

	/**
	 * An array for elements that are about to be read from here.
	 * @param element the type of an element
	 * @param count how many elements it has
	 * @param elementSize the bytes of each in the message
	 * @return the array
	 */
	public Object newArray(Class<?> element, int count, int elementSize) {
		return (this.ahead != null) ? this.ahead.take(element, count, elementSize) : Array.newInstance(element, count);
	}

	/**
	 * {@return an offset, rounded up to where a message or a variable part may start}
	 * @param offset the offset in bytes
	 */
	public static int aligned(int offset) {
		return (offset + ALIGNMENT - 1) & -ALIGNMENT;
	}

	/**
	 * {@return the size of the region, in bytes}
	 */
	public int capacity() {
		return this.bytes.capacity();
	}

	/**
	 * The region as little-endian bytes, for absolute access. It is shared, not a copy:
	 * its position, limit and order must stay as they are.
	 * @return the one view of this buffer
	 */
	public ByteBuffer bytes() {
		return this.bytes;
	}

	/**
	 * The region as little-endian 8-byte words, for absolute access to aligned ones; it
	 * is shared like the {@linkplain #bytes() bytes}.
	 * @return the one view of this buffer; words beyond a multiple of eight bytes are not
	 * part of it
	 */
	public LongBuffer longs() {
		return this.longs;
	}

	/**
	 * Clears {@code [from, to)}.
	 * @param from the first byte
	 * @param to the byte after the last
	 */
	public void zero(int from, int to) {
		int at = from;
		for (; at <= to - Long.BYTES; at += Long.BYTES) {
			putLong(at, 0);
		}
		for (; at < to; at++) {
			putByte(at, (byte) 0);
		}
	}

	/**
	 * Writes a byte.
	 * @param at where, in bytes
	 * @param value the value
	 */
	public void putByte(int at, byte value) {
		if (this.array != null) {
			this.array[at] = value;
		}
		else {
			this.bytes.put(at, value);
		}
	}

	/**
	 * {@return a byte}
	 * @param at where, in bytes
	 */
	public byte getByte(int at) {
		return (this.array != null) ? this.array[at] : this.bytes.get(at);
	}

	/**
	 * Writes a short.
	 * @param at where, in bytes
	 * @param value the value
	 */
	public void putShort(int at, short value) {
		if (this.array != null) {
			SHORT.set(this.array, at, value);
		}
		else {
			this.bytes.putShort(at, value);
		}
	}

	/**
	 * {@return a short}
	 * @param at where, in bytes
	 */
	public short getShort(int at) {
		return (this.array != null) ? (short) SHORT.get(this.array, at) : this.bytes.getShort(at);
	}

	/**
	 * Writes an int.
	 * @param at where, in bytes
	 * @param value the value
	 */
	public void putInt(int at, int value) {
		if (this.array != null) {
			INT.set(this.array, at, value);
		}
		else {
			this.bytes.putInt(at, value);
		}
	}

	/**
	 * {@return an int}
	 * @param at where, in bytes
	 */
	public int getInt(int at) {
		return (this.array != null) ? (int) INT.get(this.array, at) : this.bytes.getInt(at);
	}

	/**
	 * Writes a long.
	 * @param at where, in bytes
	 * @param value the value
	 */
	public void putLong(int at, long value) {
		if (this.array != null) {
			LONG.set(this.array, at, value);
		}
		else {
			this.bytes.putLong(at, value);
		}
	}

	/**
	 * {@return a long}
	 * @param at where, in bytes
	 */
	public long getLong(int at) {
		return (this.array != null) ? (long) LONG.get(this.array, at) : this.bytes.getLong(at);
	}

	/**
	 * Writes elements of an array of a primitive other than {@code boolean}.
	 * @param array the array
	 * @param from the index of the first of these elements
	 * @param count how many of them
	 * @param at where the first of them goes, in bytes: a multiple of its size
	 */
	public void put(Object array, int from, int count, int at) {
		if (array instanceof float[] values) {
			this.floats.put(at / Float.BYTES, values, from, count);
		}
		else if (array instanceof int[] values) {
			this.ints.put(at / Integer.BYTES, values, from, count);
		}
		else if (array instanceof double[] values) {
			this.doubles.put(at / Double.BYTES, values, from, count);
		}
		else if (array instanceof long[] values) {
			this.longs.put(at / Long.BYTES, values, from, count);
		}
		else if (array instanceof short[] values) {
			this.shorts.put(at / Short.BYTES, values, from, count);
		}
		else if (array instanceof char[] values) {
			this.chars.put(at / Character.BYTES, values, from, count);
		}
		else {
			this.bytes.put(at, (byte[]) array, from, count);
		}
	}

	/**
	 * Reads elements of an array of a primitive other than {@code boolean}.
	 * @param array the array
	 * @param from the index of the first of these elements
	 * @param count how many of them
	 * @param at where the first of them lies, in bytes: a multiple of its size
	 */
	public void get(Object array, int from, int count, int at) {
		if (array instanceof float[] values) {
			this.floats.get(at / Float.BYTES, values, from, count);
		}
		else if (array instanceof int[] values) {
			this.ints.get(at / Integer.BYTES, values, from, count);
		}
		else if (array instanceof double[] values) {
			this.doubles.get(at / Double.BYTES, values, from, count);
		}
		else if (array instanceof long[] values) {
			this.longs.get(at / Long.BYTES, values, from, count);
		}
		else if (array instanceof short[] values) {
			this.shorts.get(at / Short.BYTES, values, from, count);
		}
		else if (array instanceof char[] values) {
			this.chars.get(at / Character.BYTES, values, from, count);
		}
		else {
			this.bytes.get(at, (byte[]) array, from, count);
		}
	}

}
