package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;

import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/**
 * Writes memory: one element or several side by side. Of 16 bytes the second half is
 * written last, as {@link Load} reads it first.
 */
final class Store extends MemoryAccess {

	private final ScalarType type;

	private final int[] sources;

	Store(Statement statement, Place place, ScalarType type, int[] sources) {
		super(statement, place, type.bytes() * sources.length, true);
		this.type = type;
		this.sources = sources;
	}

	@Override
	void access(ByteBuffer memory, int offset, long[] values, int lane) {
		if (isUnit()) {
			int half = this.sources.length / 2;
			Words.store(memory, offset, Long.BYTES, joined(values, lane, 0, half));
			Words.store(memory, offset + Long.BYTES, Long.BYTES, joined(values, lane, half, 2 * half));
			return;
		}
		int size = this.type.bytes();
		for (int i = 0; i < this.sources.length; i++) {
			Words.store(memory, offset + i * size, size, values[this.sources[i] + lane]);
		}
	}

	private long joined(long[] values, int lane, int from, int to) {
		long half = 0;
		for (int i = to - 1; i >= from; i--) {
			long value = values[this.sources[i] + lane];
			half = (this.type.bits() == Long.SIZE) ? value
					: (half << this.type.bits()) | Integers.low(value, this.type.bits());
		}
		return half;
	}

}
