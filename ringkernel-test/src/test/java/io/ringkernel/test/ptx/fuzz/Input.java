package io.ringkernel.test.ptx.fuzz;

import io.ringkernel.Capacity;

/**
 * What generated handlers are asked.
 */
public record Input(int a, int b, long c, float d, double e, @Capacity(80) int[] ints, @Capacity(80) float[] floats,
		@Capacity(80) double[] doubles) {
}
