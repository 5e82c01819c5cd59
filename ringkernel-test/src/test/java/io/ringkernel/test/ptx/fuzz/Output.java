package io.ringkernel.test.ptx.fuzz;

import io.ringkernel.Capacity;

/**
 * What generated handlers answer.
 */
public record Output(int a, int b, long c, float d, double e, @Capacity(160) int[] ints,
		@Capacity(160) float[] floats) {
}
