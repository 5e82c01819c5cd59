package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;

import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/**
 * Reads memory: one element or several side by side.
 */
final class Load extends LaneInstruction {

	private static final int UNIT = 16;

	private final Place place;

	private final ScalarType type;

	private final int[] destinations;

	private final int bytes;

	Load(Statement statement, Place place, ScalarType type, int[] destinations) {
		super(statement);
		this.place = place;
		this.type = type;
		this.destinations = destinations;
		this.bytes = type.bytes() * destinations.length;
	}

	@Override
	void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			long address = this.place.address(values, lane);
			ByteBuffer memory = Place.bytes(warp, lane, address, this.bytes, "reads");
			warp.block().accesses().read(warp, lane, address, this.bytes);
			load(memory, (int) address, values, lane);
		}
	}

	/**
	 * A 16-byte access is one on the device. The element that was written last is read
	 * first: if it is new, so are the others.
	 */
	private void load(ByteBuffer memory, int offset, long[] values, int lane) {
		if (this.bytes == UNIT) {
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
