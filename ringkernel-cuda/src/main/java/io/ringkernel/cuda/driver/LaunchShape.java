package io.ringkernel.cuda.driver;

/**
 * How many threads a kernel is launched with.
 *
 * @param blocks blocks of the grid
 * @param threads threads of a block
 * @param sharedBytes dynamic shared memory of a block, in bytes
 */
public record LaunchShape(int blocks, int threads, int sharedBytes) {
}
