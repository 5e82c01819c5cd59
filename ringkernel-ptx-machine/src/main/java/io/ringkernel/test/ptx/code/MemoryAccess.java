package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;
import java.util.Set;

import io.ringkernel.test.ptx.machine.Races;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/** Reads or writes memory, each lane at an address of its own. */
abstract class MemoryAccess implements LaneInstruction {

	private static final Set<String> STRONG = Set.of("volatile", "relaxed", "acquire", "release", "mmio");

	/** The largest access, which is one on the device and two here. */
	private static final int UNIT = 16;

	private final Statement statement;

	private final Place place;

	private final int bytes;

	private final boolean writes;

	/** Whether the access promises nothing to others at the same time. */
	private final boolean isWeak;

	MemoryAccess(Statement statement, Place place, int bytes, boolean writes) {
		this.statement = statement;
		this.place = place;
		this.bytes = bytes;
		this.writes = writes;
		this.isWeak = STRONG.stream().noneMatch(statement::has);
	}

	@Override
	public Statement statement() {
		return this.statement;
	}

	boolean isUnit() {
		return this.bytes == UNIT;
	}

	@Override
	public final void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		Races races = this.isWeak ? warp.block().races() : null;
		if (races != null) {
			races.step();
		}
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			long address = this.place.address(values, lane);
			ByteBuffer memory = Place.bytes(warp, lane, address, this.bytes, this.writes ? "writes" : "reads");
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
		if (!this.writes) {
			races.read(warp, lane, address, this.bytes);
			access(memory, offset, warp.values(), lane);
			return;
		}
		ByteBuffer before = ByteBuffer.allocate(this.bytes).put(0, memory, offset, this.bytes);
		access(memory, offset, warp.values(), lane);
		if (before.mismatch(memory.duplicate().position(offset).limit(offset + this.bytes)) >= 0) {
			races.written(warp, lane, address, this.bytes);
		}
	}

	/** Accesses the bytes at an offset for a lane. */
	abstract void access(ByteBuffer memory, int offset, long[] values, int lane);

}
