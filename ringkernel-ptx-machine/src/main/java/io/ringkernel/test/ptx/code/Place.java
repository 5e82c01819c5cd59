package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;

import io.ringkernel.test.ptx.machine.PtxFault.Kind;
import io.ringkernel.test.ptx.machine.Warp;

/**
 * Where an instruction accesses memory: the address of a lane.
 *
 * @param base the register of the address that the space of the instruction begins at
 * @param register the register that is added to it
 * @param narrow whether that has 32 bits
 * @param offset what is added to both
 */
record Place(int base, int register, boolean narrow, long offset) {

	private static final long NARROW = 0xffffffffL;

	long address(long[] values, int lane) {
		long index = values[this.register + lane];
		return values[this.base + lane] + (this.narrow ? index & NARROW : index) + this.offset;
	}

	/**
	 * The bytes that an address lies in, at the offset that its lower half says.
	 * @throws io.ringkernel.test.ptx.machine.PtxFault if not all bytes that are accessed
	 * are allocated, or the address is no multiple of their number
	 */
	static ByteBuffer bytes(Warp warp, int lane, long address, int bytes, String access) {
		ByteBuffer segment = warp.block().grid().memory().segment(address);
		int offset = (int) address;
		if (segment == null || offset < 0 || offset > segment.capacity() - bytes) {
			throw warp.fault(Kind.OUT_OF_BOUNDS, lane, "%s %d bytes at 0x%x: %s".formatted(access, bytes, address,
					warp.block().grid().memory().describe(address)));
		}
		if ((offset & bytes - 1) != 0) {
			throw warp.fault(Kind.MISALIGNED, lane,
					"%s %d bytes at 0x%x, which is no multiple of %d".formatted(access, bytes, address, bytes));
		}
		return segment;
	}

}
