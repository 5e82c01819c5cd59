package io.ringkernel.sample.vectoradd;

import io.ringkernel.Capacity;

/**
 * The sum of two vectors.
 *
 * @param sum as many elements as each of the two has
 */
public record VectorAddResponse(@Capacity(VectorAddRequest.MAX_ELEMENTS) float[] sum) {
}
