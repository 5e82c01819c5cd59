package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/** Copies registers to registers. */
record Moves(Statement statement, int[] sources, int[] destinations, ScalarType type) implements LaneInstruction {

	@Override
	public void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			for (int i = 0; i < this.sources.length; i++) {
				values[this.destinations[i] + lane] = Integers.extend(this.type, values[this.sources[i] + lane]);
			}
		}
	}
}
