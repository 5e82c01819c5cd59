package io.ringkernel.test.ptx.fuzz;

import java.util.OptionalInt;

import io.ringkernel.Capacity;
import io.ringkernel.test.ptx.fuzz.Input.Mode;

/**
 * What generated handlers answer.
 */
public record Output(int a, int b, long c, float d, double e, Mode mode, OptionalInt maybe, @Capacity(160) int[] ints,
		@Capacity(160) float[] floats, @Capacity(80) long[] longs, @Capacity(16) String text) {
}
