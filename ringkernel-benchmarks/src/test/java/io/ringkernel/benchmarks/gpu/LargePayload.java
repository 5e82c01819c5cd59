package io.ringkernel.benchmarks.gpu;

import io.ringkernel.Capacity;

/**
 * Up to 64 KiB in one array.
 *
 * @param words the content
 */
record LargePayload(@Capacity(LargePayload.CAPACITY) int[] words) {

	static final int CAPACITY = 16_384;

}
