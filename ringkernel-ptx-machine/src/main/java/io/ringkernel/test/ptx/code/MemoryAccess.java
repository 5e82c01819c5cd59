package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;
import java.util.Set;

import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.machine.Races;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/**
 * Reads or writes memory, each lane at an address of its own: one element or several side
 * by side.
 *
 * @param registers the destinations of a load, or the sources of a store
 * @param isWeak whether the access promises nothing to others at the same time
 */
record MemoryAccess(Statement statement, Place place, ScalarType type, int[] registers, boolean writes,
		boolean isWeak) implements LaneInstruction {

	private static final Set<String> STRONG = Set.of("volatile", "relaxed", "acquire", "release", "mmio");

	/** The largest access, which is one on the device and two here. */
	private static final int UNIT = 16;

	static MemoryAccess load(Statement statement, Place place, ScalarType type, int... destinations) {
		return new MemoryAccess(statement, place, type, destinations, false, isWeak(statement));
	}

	static MemoryAccess store(Statement statement, Place place, ScalarType type, int... sources) {
		return new MemoryAccess(statement, place, type, sources, true, isWeak(statement));
	}

	private static boolean isWeak(Statement statement) {
		return STRONG.stream().noneMatch(statement::has);
	}

	private int bytes() {
		return this.type.bytes() * this.registers.length;
	}

	@Override
	public void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		Races races = this.isWeak ? warp.block().races() : null;
		if (races != null) {
			races.step();
		}
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			long address = this.place.address(values, lane);
			ByteBuffer memory = Place.bytes(warp, lane, address, bytes(), this.writes ? "writes" : "reads");
			if (races != null) {
				watched(races, warp, lane, address, memory);
			}
			else {
				access(memory, (int) address, values, lane);
			}
		}
	}

	/** Accesses memory, and says so. */
	private void watched(Races races, Warp warp, int lane, long address, ByteBuffer memory) {
		int offset = (int) address;
		int bytes = bytes();
		if (!this.writes) {
			races.read(warp, lane, address, bytes);
			access(memory, offset, warp.values(), lane);
			return;
		}
		ByteBuffer before = ByteBuffer.allocate(bytes).put(0, memory, offset, bytes);
		access(memory, offset, warp.values(), lane);
		if (before.mismatch(memory.duplicate().position(offset).limit(offset + bytes)) >= 0) {
			races.written(warp, lane, address, bytes);
		}
	}

	/**
	 * Accesses the bytes at an offset for a lane. An access of 16 bytes is one on the
	 * device. Here the second half is written last and read first: if it is new, so is
	 * the first one.
	 */
	private void access(ByteBuffer memory, int offset, long[] values, int lane) {
		int half = this.registers.length / 2;
		if (bytes() != UNIT) {
			each(memory, offset, values, lane);
		}
		else if (this.writes) {
			Words.store(memory, offset, Long.BYTES, joined(values, lane, 0, half));
			Words.store(memory, offset + Long.BYTES, Long.BYTES, joined(values, lane, half, 2 * half));
		}
		else {
			long second = Words.load(memory, offset + Long.BYTES, Long.BYTES);
			split(Words.load(memory, offset, Long.BYTES), values, lane, 0, half);
			split(second, values, lane, half, 2 * half);
		}
	}

	private void each(ByteBuffer memory, int offset, long[] values, int lane) {
		int size = this.type.bytes();
		for (int i = 0; i < this.registers.length; i++) {
			int register = this.registers[i] + lane;
			if (this.writes) {
				Words.store(memory, offset + i * size, size, values[register]);
			}
			else {
				values[register] = Integers.extend(this.type, Words.load(memory, offset + i * size, size));
			}
		}
	}

	private void split(long half, long[] values, int lane, int from, int to) {
		for (int i = from; i < to; i++) {
			values[this.registers[i] + lane] = Integers.extend(this.type, half >>> ((i - from) * this.type.bits()));
		}
	}

	private long joined(long[] values, int lane, int from, int to) {
		long half = 0;
		for (int i = to - 1; i >= from; i--) {
			long value = values[this.registers[i] + lane];
			half = (this.type.bits() == Long.SIZE) ? value
					: (half << this.type.bits()) | Integers.low(value, this.type.bits());
		}
		return half;
	}

}
