package io.ringkernel.sample.neighbours;

import io.ringkernel.Capacity;

/**
 * A vector to store.
 */
record IndexedVector(int id, @Capacity(NeighbourRequest.MAX_FLOATS) float[] vector) {
}
