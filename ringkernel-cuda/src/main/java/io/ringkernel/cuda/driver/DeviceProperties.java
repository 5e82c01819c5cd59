package io.ringkernel.cuda.driver;

/**
 * What a device is.
 *
 * @param name its name
 * @param major its compute capability, before the point
 * @param minor its compute capability, after the point
 * @param multiprocessors how many multiprocessors it has
 * @param memoryBytes its memory, in bytes
 * @param maxThreadsPerBlock the most threads of a block
 * @param maxSharedBytesPerBlock the most shared memory of a block, in bytes, for a
 * function that asks for it
 * @param prohibited whether its compute mode lets nobody use it
 * @param kernelTimeLimit whether the driver ends kernels that run for long
 * @param mapsHostMemory whether it can access host memory
 * @param registersHostMemory whether host memory that exists already can be made
 * accessible to it
 * @param concurrentKernels whether it runs kernels side by side
 * @param cooperativeLaunch whether it takes cooperative launches
 * @param memoryPools whether memory can be allocated and given back in the order of a
 * stream
 * @param clockHertz its highest clock rate, in cycles a second
 * @since 0.1.0
 */
public record DeviceProperties(String name, int major, int minor, int multiprocessors, long memoryBytes,
		int maxThreadsPerBlock, int maxSharedBytesPerBlock, boolean prohibited, boolean kernelTimeLimit,
		boolean mapsHostMemory, boolean registersHostMemory, boolean concurrentKernels, boolean cooperativeLaunch,
		boolean memoryPools, long clockHertz) {

	/**
	 * {@return the compute capability as one number: 75 for 7.5}
	 */
	public int capability() {
		return this.major * 10 + this.minor;
	}

	/**
	 * {@return the compute capability as it is written: {@code 7.5}}
	 */
	public String capabilityText() {
		return this.major + "." + this.minor;
	}

}
