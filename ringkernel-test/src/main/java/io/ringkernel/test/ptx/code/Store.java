package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;

import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/**
 * Writes memory: one element or several side by side. Of 16 bytes the second half is
 * written last, as {@link Load} reads it first.
 */
final class Store extends LaneInstruction {

	private static final int UNIT = 16;

	private final Place place;

	private final ScalarType type;

	private final int[] sources;

	private final int bytes;

	Store(Statement statement, Place place, ScalarType type, int[] sources) {
		super(statement);
		this.place = place;
		this.type = type;
		this.sources = sources;
		this.bytes = type.bytes() * sources.length;
	}

	@Override
	void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			long address = this.place.address(values, lane);
			ByteBuffer memory = Place.bytes(warp, lane, address, this.bytes, "writes");
			warp.block().accesses().write(warp, lane, address, this.bytes);
			store(memory, (int) address, values, lane);
		}
	}

	private void store(ByteBuffer memory, int offset, long[] values, int lane) {
		if (this.bytes == UNIT) {
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
