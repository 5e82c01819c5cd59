package io.ringkernel.sample.neighbours;

/**
 * A vector that was found.
 *
 * @param id its id
 * @param distance its squared Euclidean distance
 */
record Neighbour(int id, float distance) {
}
