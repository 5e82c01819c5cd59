package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;

import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/**
 * Reads or writes memory, each lane at an address of its own.
 */
abstract class MemoryAccess extends LaneInstruction {

	/** The largest access, which is one on the device and two here. */
	private static final int UNIT = 16;

	private final Place place;

	private final int bytes;

	private final String name;

	/**
	 * @param name what it does, for the report of a fault
	 */
	MemoryAccess(Statement statement, Place place, int bytes, String name) {
		super(statement);
		this.place = place;
		this.bytes = bytes;
		this.name = name;
	}

	boolean isUnit() {
		return this.bytes == UNIT;
	}

	@Override
	final void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			long address = this.place.address(values, lane);
			access(Place.bytes(warp, lane, address, this.bytes, this.name), (int) address, values, lane);
		}
	}

	/** Accesses the bytes at an offset for a lane. */
	abstract void access(ByteBuffer memory, int offset, long[] values, int lane);

}
