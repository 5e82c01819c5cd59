package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;

import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/** Reads memory: one element or several side by side. */
final class Load extends MemoryAccess {

	private final ScalarType type;

	private final int[] destinations;

	Load(Statement statement, Place place, ScalarType type, int[] destinations) {
		super(statement, place, type.bytes() * destinations.length, false);
		this.type = type;
		this.destinations = destinations;
	}

	/**
	 * A 16-byte access is one on the device. The element that was written last is read
	 * first: if it is new, so are the others.
	 */
	@Override
	void access(ByteBuffer memory, int offset, long[] values, int lane) {
		if (isUnit()) {
			long second = Words.load(memory, offset + Long.BYTES, Long.BYTES);
			long first = Words.load(memory, offset, Long.BYTES);
			split(first, second, values, lane);
			return;
		}
		int size = this.type.bytes();
		for (int i = 0; i < this.destinations.length; i++) {
			values[this.destinations[i] + lane] = Integers.extend(this.type,
					Words.load(memory, offset + i * size, size));
		}
	}

	private void split(long first, long second, long[] values, int lane) {
		int perHalf = this.destinations.length / 2;
		for (int i = 0; i < this.destinations.length; i++) {
			long half = (i < perHalf) ? first : second;
			values[this.destinations[i] + lane] = Integers.extend(this.type,
					half >>> ((i % perHalf) * this.type.bits()));
		}
	}

}
