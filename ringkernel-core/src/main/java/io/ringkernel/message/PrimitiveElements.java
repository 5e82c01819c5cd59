package io.ringkernel.message;

import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * Arrays of a primitive whose every bit pattern is a value, moved in bulk.
 *
 * @param <A> the array type
 */
record PrimitiveElements<A>(IntFunction<A> create, ToIntFunction<A> length, Transfer<A> write,
		Transfer<A> read) implements Elements<A> {

	static final PrimitiveElements<byte[]> BYTES = new PrimitiveElements<>(byte[]::new, (array) -> array.length,
			MessageBuffer::put, MessageBuffer::get);

	static final PrimitiveElements<short[]> SHORTS = new PrimitiveElements<>(short[]::new, (array) -> array.length,
			MessageBuffer::put, MessageBuffer::get);

	static final PrimitiveElements<char[]> CHARS = new PrimitiveElements<>(char[]::new, (array) -> array.length,
			MessageBuffer::put, MessageBuffer::get);

	static final PrimitiveElements<int[]> INTS = new PrimitiveElements<>(int[]::new, (array) -> array.length,
			MessageBuffer::put, MessageBuffer::get);

	static final PrimitiveElements<long[]> LONGS = new PrimitiveElements<>(long[]::new, (array) -> array.length,
			MessageBuffer::put, MessageBuffer::get);

	static final PrimitiveElements<float[]> FLOATS = new PrimitiveElements<>(float[]::new, (array) -> array.length,
			MessageBuffer::put, MessageBuffer::get);

	static final PrimitiveElements<double[]> DOUBLES = new PrimitiveElements<>(double[]::new, (array) -> array.length,
			MessageBuffer::put, MessageBuffer::get);

	@Override
	public int count(A array) {
		return this.length.applyAsInt(array);
	}

	@Override
	public void put(A array, MessageBuffer target, int at) {
		this.write.move(target, array, at);
	}

	@Override
	public A get(MessageBuffer source, int at, int count) {
		A array = this.create.apply(count);
		this.read.move(source, array, at);
		return array;
	}

	/**
	 * Moves a whole array between itself and the bytes of a buffer from {@code at} on.
	 *
	 * @param <A> the array type
	 */
	interface Transfer<A> {

		void move(MessageBuffer buffer, A array, int at);

	}

}
