package io.ringkernel.message;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.InvalidMessageException;
import org.jspecify.annotations.Nullable;

/**
 * Where a value lies in a message: what a codec needs to find it and to name it in an
 * error.
 *
 * @param message the record that is the whole message
 * @param path the components that lead to the value, {@code "corner.x"}; empty for the
 * message itself
 * @param offset the distance in bytes from the start of the message, or of the array
 * element, that the value is part of
 * @param fixedSize the size in bytes of the message's fixed block, before which no
 * variable part can lie
 */
record Site(Class<?> message, String path, int offset, int fixedSize) {

	Site member(String name, int memberOffset) {
		String memberPath = this.path.isEmpty() ? name : this.path + "." + name;
		return new Site(this.message, memberPath, this.offset + memberOffset, this.fixedSize);
	}

	Site value(int valueOffset) {
		return new Site(this.message, this.path, this.offset + valueOffset, this.fixedSize);
	}

	Site element() {
		return new Site(this.message, this.path + "[]", 0, this.fixedSize);
	}

	Site element(int index) {
		return new Site(this.message, this.path + "[" + index + "]", 0, this.fixedSize);
	}

	InvalidMessageException invalid(String problem) {
		return new InvalidMessageException(this.message, this.path, problem);
	}

	InvalidMessageException invalid(String problem, long value, long limit) {
		return new InvalidMessageException(this.message, this.path, problem, value, limit);
	}

	CorruptMessageException corrupt(String problem) {
		return new CorruptMessageException(this.message.getSimpleName() + "." + this.path + " " + problem);
	}

	Object required(@Nullable Object value) {
		if (value == null) {
			throw invalid(this.path.isEmpty()
					? "is null; pass a record: a component may be @Nullable or Optional, a message may not"
					: "is null; set it, or mark the component @Nullable or make it Optional");
		}
		return value;
	}

	boolean flag(byte value) {
		if ((value & ~1) != 0) {
			throw corrupt("holds the byte " + value + "; a boolean is 0 or 1");
		}
		return value != 0;
	}

}
