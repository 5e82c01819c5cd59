package io.ringkernel.test.ptx.fuzz;

import java.util.OptionalInt;

import io.ringkernel.Capacity;

/**
 * What generated handlers are asked.
 */
public record Input(int a, int b, long c, float d, double e, boolean flag, Mode mode, OptionalInt maybe, Point point,
		@Capacity(80) int[] ints, @Capacity(80) float[] floats, @Capacity(80) double[] doubles,
		@Capacity(80) byte[] bytes, @Capacity(16) String text) {

	/**
	 * A choice.
	 */
	public enum Mode {

		FIRST, SECOND, THIRD

	}

	/**
	 * A group.
	 */
	public record Point(short x, long y) {
	}

}
