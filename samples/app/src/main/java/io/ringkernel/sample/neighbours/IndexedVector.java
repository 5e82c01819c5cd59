package io.ringkernel.sample.neighbours;

import io.ringkernel.Capacity;

/**
 * A vector to store.
 *
 * @param id its id
 * @param vector its elements
 */
record IndexedVector(int id, @Capacity(NeighbourRequest.MAX_FLOATS) float[] vector) {
}
