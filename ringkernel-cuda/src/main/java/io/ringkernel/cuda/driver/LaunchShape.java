package io.ringkernel.cuda.driver;

/**
 * How many threads a kernel is launched with.
 *
 * @param blocks blocks of the grid
 * @param threads threads of a block
 * @param sharedBytes dynamic shared memory of a block, in bytes
 * @param cooperative whether all blocks have to be on the device at once, as they wait
 * for each other: then the driver launches all or none
 * @since 0.1.0
 */
public record LaunchShape(int blocks, int threads, int sharedBytes, boolean cooperative) {

	/**
	 * The shape of a kernel whose blocks do not wait for each other.
	 * @param blocks blocks of the grid
	 * @param threads threads of a block
	 * @param sharedBytes dynamic shared memory of a block, in bytes
	 */
	public LaunchShape(int blocks, int threads, int sharedBytes) {
		this(blocks, threads, sharedBytes, false);
	}

}
