package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/** {@code shfl.sync}: each lane reads the value of another. */
record Shuffle(Statement statement, Mode mode, int destination, int inRange, int source, int selector, int bounds,
		int members) implements Meeting.Together {

	private static final int LANE_MASK = 31;

	private static final int SEGMENT_SHIFT = 8;

	/** Which lane is read. */
	enum Mode {

		UP, DOWN, BFLY, IDX

	}

	@Override
	public void execute(Warp warp, int lanes) {
		long[] values = warp.values();
		long[] before = warp.copy(this.source);
		int inRange = 0;
		for (int rest = lanes; rest != 0; rest &= rest - 1) {
			int lane = Integer.numberOfTrailingZeros(rest);
			int bounds = (int) values[this.bounds + lane];
			int clamp = bounds & LANE_MASK;
			int segment = bounds >>> SEGMENT_SHIFT & LANE_MASK;
			int selector = (int) values[this.selector + lane] & LANE_MASK;
			int most = (lane & segment) | (clamp & ~segment);
			int from = switch (this.mode) {
				case UP -> lane - selector;
				case DOWN -> lane + selector;
				case BFLY -> lane ^ selector;
				case IDX -> (lane & segment) | (selector & ~segment);
			};
			boolean valid = (this.mode == Mode.UP) ? from >= most : from <= most;
			if (valid) {
				inRange |= 1 << lane;
			}
			values[this.destination + lane] = before[valid ? from & LANE_MASK : lane];
		}
		Flags.set(warp, this.inRange, lanes, inRange);
	}
}
