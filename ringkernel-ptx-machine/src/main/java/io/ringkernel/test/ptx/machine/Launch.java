package io.ringkernel.test.ptx.machine;

/**
 * What a grid is launched with.
 *
 * @param blocks how many blocks
 * @param threads how many threads a block has, at most 1024
 * @param sharedBytes dynamic shared memory of a block
 * @param parameters the address of the parameters
 * @since 0.2.0
 */
public record Launch(int blocks, int threads, int sharedBytes, long parameters) {
}
