package io.ringkernel.message;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.message.buffer.SharedCopy;
import org.jspecify.annotations.Nullable;

/**
 * Moves an array or a string. A fixed array lies in the struct; of a variable one the
 * struct holds {@code {offset, length}}, and its elements are a variable part. A string
 * that UTF-8 cannot express (an unpaired surrogate) is invalid and bytes that are not
 * UTF-8 are corrupt: neither is replaced silently.
 *
 * @param element the type of an element, {@link String} for a string
 * @param elementSize the bytes of an element in the message
 * @param limit the length of a fixed array, or the capacity of a variable one
 * @param elements moves an element that is a record
 */
record SequenceCodec(Site site, Class<?> element, int elementSize, int limit, boolean variable,
		@Nullable Codec elements) implements Codec {

	private static final char REPLACEMENT = '\uFFFD';

	@Override
	public int measure(int end, @Nullable Object value) throws Throwable {
		int count = count(this.site.required(value));
		if (this.elements != null && value instanceof Object[] records) {
			for (int i = 0; i < count; i++) {
				this.elements.measure(0, element(records, i));
			}
		}
		return endAfter(end, count);
	}

	@Override
	public int write(int end, @Nullable Object value, MessageBuffer target, int at) throws Throwable {
		Object sequence = this.site.required(value);
		int count = count(sequence);
		int to = at + this.site.offset();
		if (!this.variable) {
			put(sequence, count, target, to);
			return end;
		}
		int begin = (count != 0) ? MessageBuffer.aligned(end) : 0;
		target.putInt(to, begin);
		target.putInt(to + Integer.BYTES, count);
		if (count != 0) {
			if (count * this.elementSize > target.capacity() - at - begin) {
				throw this.site.invalid("has " + count + " " + unit() + ", for which the buffer has no room at offset "
						+ begin + ": provide a larger one, or return the same value from the accessor each time");
			}
			target.zero(at + end, at + begin);
			put(sequence, count, target, at + begin);
		}
		return endAfter(end, count);
	}

	@Override
	public Object read(MessageBuffer source, int at, int messageLength) throws Throwable {
		int from = at + this.site.offset();
		if (!this.variable) {
			return get(source, from, this.limit);
		}
		int begin = source.getInt(from);
		int count = source.getInt(from + Integer.BYTES);
		if (count == 0) {
			return get(source, at, 0);
		}
		requireWithin(begin, count, messageLength);
		return get(source, at + begin, count);
	}

	/**
	 * Checks what a message says of a variable part that is not empty: that it lies
	 * within the message.
	 * @throws io.ringkernel.exception.CorruptMessageException if it does not
	 */
	void requireWithin(int begin, int count, int messageLength) {
		if (count < 0 || count > this.limit) {
			throw this.site.corrupt("has the length " + Integer.toUnsignedString(count) + " " + unit()
					+ "; its capacity is " + this.limit);
		}
		// The capacity keeps the product, the check of begin keeps the difference, in
		// range.
		if (begin < this.site.fixedSize() || begin % MessageBuffer.ALIGNMENT != 0
				|| count * this.elementSize > messageLength - begin) {
			throw this.site.corrupt("has " + count + " " + unit() + " at offset " + Integer.toUnsignedString(begin)
					+ "; they must start at a multiple of " + MessageBuffer.ALIGNMENT + " from " + this.site.fixedSize()
					+ " on and end within the message's " + messageLength + " bytes");
		}
	}

	/**
	 * Checks the length of a variable part that is to be written.
	 * @throws io.ringkernel.exception.InvalidMessageException if it is out of range
	 */
	void requireRoom(int count) {
		if (count < 0 || count > this.limit) {
			throw this.site.invalid("has " + count + " " + unit() + "; its capacity is " + this.limit
					+ ": send less, or raise @Capacity", count, this.limit);
		}
	}

	private int endAfter(int end, int count) {
		return (this.variable && count != 0) ? MessageBuffer.aligned(end) + count * this.elementSize : end;
	}

	private String unit() {
		return (this.element == String.class) ? "UTF-8 bytes" : "elements";
	}

	private int count(Object sequence) {
		int count = (sequence instanceof String string) ? bytes(string) : Array.getLength(sequence);
		if (this.variable) {
			requireRoom(count);
		}
		if (!this.variable && count != this.limit) {
			throw this.site.invalid("has " + count + " elements; @Length requires exactly " + this.limit
					+ ": fill the array up, or declare it with @Capacity", count, this.limit);
		}
		return count;
	}

	private int bytes(String string) {
		int count = Utf8.length(string);
		if (count < 0) {
			throw this.site.invalid("has an unpaired surrogate at index " + ~count
					+ ", which UTF-8 cannot express: send well-formed text");
		}
		return count;
	}

	private void put(Object sequence, int count, MessageBuffer target, int at) throws Throwable {
		if (this.elements != null && sequence instanceof @Nullable Object[] records) {
			for (int i = 0; i < count; i++) {
				this.elements.write(0, element(records, i), target, at + i * this.elementSize);
			}
		}
		else if (sequence instanceof String string) {
			Utf8.encode(string, target.bytes(), at);
		}
		else if (sequence instanceof boolean[] flags) {
			for (int i = 0; i < count; i++) {
				target.putByte(at + i, (byte) (flags[i] ? 1 : 0));
			}
		}
		else if (!target.defers(sequence, count, this.elementSize, at)) {
			copy(sequence, count, target, at);
		}
	}

	private void copy(Object array, int count, MessageBuffer target, int at) {
		if (SharedCopy.isWorthwhile(count, this.elementSize)) {
			SharedCopy.run(count, this.elementSize,
					(from, some) -> target.put(array, from, some, at + from * this.elementSize));
		}
		else {
			target.put(array, 0, count, at);
		}
	}

	private Object get(MessageBuffer source, int at, int count) throws Throwable {
		if (this.element == String.class) {
			return string(source, at, count);
		}
		Object sequence = source.newArray(this.element, count, this.elementSize);
		if (this.elements != null && sequence instanceof @Nullable Object[] records) {
			for (int i = 0; i < count; i++) {
				records[i] = this.elements.read(source, at + i * this.elementSize, this.elementSize);
			}
		}
		else if (sequence instanceof boolean[] flags) {
			for (int i = 0; i < count; i++) {
				flags[i] = this.site.flag(source.getByte(at + i));
			}
		}
		else if (SharedCopy.isWorthwhile(count, this.elementSize)) {
			SharedCopy.run(count, this.elementSize,
					(from, some) -> source.get(sequence, from, some, at + from * this.elementSize));
		}
		else {
			source.get(sequence, 0, count, at);
		}
		return sequence;
	}

	private Object element(@Nullable Object[] records, int index) {
		Object record = records[index];
		if (record == null) {
			throw this.site.element(index)
				.invalid("is null; every element must be a " + this.element.getSimpleName() + ": send a shorter array");
		}
		return record;
	}

	private String string(MessageBuffer source, int at, int count) {
		// Copied first: a writer that misbehaves may change the bytes meanwhile.
		byte[] bytes = new byte[count];
		source.get(bytes, 0, bytes.length, at);
		String string = new String(bytes, StandardCharsets.UTF_8);
		if (string.indexOf(REPLACEMENT) >= 0) {
			requireWellFormed(bytes);
		}
		return string;
	}

	private void requireWellFormed(byte[] bytes) {
		try {
			StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
		}
		catch (CharacterCodingException ex) {
			throw this.site.corrupt("holds " + bytes.length + " bytes that are not UTF-8: " + ex.getMessage());
		}
	}

}
