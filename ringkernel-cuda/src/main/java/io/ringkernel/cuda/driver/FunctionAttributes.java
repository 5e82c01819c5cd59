package io.ringkernel.cuda.driver;

/**
 * What a function needs.
 *
 * @param maxThreadsPerBlock the most threads of a block, with the registers that it uses
 * @param registersPerThread registers of a thread
 * @param staticSharedBytes shared memory of a block that it declares itself, in bytes
 * @param localBytes local memory of a thread, in bytes
 * @since 0.1.0
 */
public record FunctionAttributes(int maxThreadsPerBlock, int registersPerThread, int staticSharedBytes,
		int localBytes) {
}
