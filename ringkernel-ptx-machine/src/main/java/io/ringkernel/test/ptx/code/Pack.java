package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/** {@code mov} between a register and several that are parts of it. */
final class Pack {

	private Pack() {
	}

	/** Several become one. */
	record Join(Statement statement, int[] sources, int destination, int bits) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				long joined = 0;
				for (int i = this.sources.length - 1; i >= 0; i--) {
					joined = (joined << this.bits) | Integers.low(values[this.sources[i] + lane], this.bits);
				}
				values[this.destination + lane] = joined;
			}
		}
	}

	/** One becomes several. */
	record Part(Statement statement, int source, int[] destinations, int bits) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			long[] values = warp.values();
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				long whole = values[this.source + lane];
				for (int i = 0; i < this.destinations.length; i++) {
					values[this.destinations[i] + lane] = Integers.low(whole >>> (i * this.bits), this.bits);
				}
			}
		}
	}

}
