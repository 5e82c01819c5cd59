package io.ringkernel.test.ptx.code;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongBinaryOperator;

/** Accesses to words that another thread of this process may access at the same time. */
final class Words {

	private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

	private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private Words() {
	}

	static long load(ByteBuffer memory, int offset, int bytes) {
		return switch (bytes) {
			case Byte.BYTES -> memory.get(offset);
			case Short.BYTES -> memory.getShort(offset);
			case Integer.BYTES -> (int) INT.getAcquire(memory, offset);
			default -> (long) LONG.getAcquire(memory, offset);
		};
	}

	static void store(ByteBuffer memory, int offset, int bytes, long value) {
		switch (bytes) {
			case Byte.BYTES -> memory.put(offset, (byte) value);
			case Short.BYTES -> memory.putShort(offset, (short) value);
			case Integer.BYTES -> INT.setRelease(memory, offset, (int) value);
			default -> LONG.setRelease(memory, offset, value);
		}
	}

	/** Changes a word at once. */
	static long update(ByteBuffer memory, int offset, int bytes, LongBinaryOperator operator, long operand) {
		if (bytes == Integer.BYTES) {
			int before;
			do {
				before = (int) INT.getVolatile(memory, offset);
			}
			while (!INT.compareAndSet(memory, offset, before, (int) operator.applyAsLong(before, operand)));
			return before;
		}
		long before;
		do {
			before = (long) LONG.getVolatile(memory, offset);
		}
		while (!LONG.compareAndSet(memory, offset, before, operator.applyAsLong(before, operand)));
		return before;
	}

	static long compareAndSwap(ByteBuffer memory, int offset, int bytes, long expected, long value) {
		return (bytes == Integer.BYTES) ? (int) INT.compareAndExchange(memory, offset, (int) expected, (int) value)
				: (long) LONG.compareAndExchange(memory, offset, expected, value);
	}

}
