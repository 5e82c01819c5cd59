package io.ringkernel.message.buffer;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * The large arrays of a message that is yet to come, made while its caller waits. To make
 * an array of 1 MiB takes 100 µs, since the JVM clears it, and to fill it from the
 * message 40: a reader that makes it ahead has most of the work behind it when the
 * message is there.
 * <p>
 * For one thread and one message: {@link #make} the arrays, have a {@code MessageLayout}
 * read from the {@link #buffer()}, and ask for the {@link #shape()} of what was read. An
 * array of another type or length than the message has is left to the garbage collector.
 *
 * @since 0.2.0
 */
public final class ArraysAhead {

	/** A smaller array is made in less time than a message takes. */
	static final int LEAST_BYTES = 4 << 10;

	private final MessageBuffer buffer;

	private final List<@Nullable Object> arrays = new ArrayList<>();

	private final List<ArrayType> read = new ArrayList<>();

	/**
	 * Prepares the reading of a message.
	 * @param memory where it will be
	 */
	public ArraysAhead(MessageBuffer memory) {
		this.buffer = memory.reading(this);
	}

	/**
	 * Makes the arrays of a message.
	 * @param expected what {@link #shape()} has said of one like it
	 */
	public void make(Shape expected) {
		for (ArrayType array : expected.arrays) {
			this.arrays.add(array.make());
		}
	}

	/**
	 * The memory. Arrays that are read from it are those that were made, where they fit.
	 * @return a buffer for this thread alone
	 */
	public MessageBuffer buffer() {
		return this.buffer;
	}

	/**
	 * The large arrays that were read.
	 * @return their types and lengths, in the order in which they were read
	 */
	public Shape shape() {
		return new Shape(List.copyOf(this.read));
	}

	/**
	 * An array for elements that are about to be read. Each that was made is handed out
	 * once.
	 */
	Object take(Class<?> element, int count, int elementSize) {
		if (count < LEAST_BYTES / elementSize) {
			return Array.newInstance(element, count);
		}
		int index = this.read.size();
		ArrayType type = new ArrayType(element, count);
		this.read.add(type);
		Object made = (index < this.arrays.size()) ? this.arrays.set(index, null) : null;
		return (made != null && type.isOf(made)) ? made : type.make();
	}

	/** The large arrays of a message. */
	public static final class Shape {

		private final List<ArrayType> arrays;

		private Shape(List<ArrayType> arrays) {
			this.arrays = arrays;
		}

		/**
		 * {@return whether another message has arrays of the same types and lengths}
		 * @param other the shape of that message, if there is one
		 */
		public boolean isLike(@Nullable Shape other) {
			return other != null && this.arrays.equals(other.arrays);
		}

	}

	private record ArrayType(Class<?> element, int count) {

		Object make() {
			return Array.newInstance(this.element, this.count);
		}

		boolean isOf(Object array) {
			return array.getClass().getComponentType() == this.element && Array.getLength(array) == this.count;
		}

	}

}
