package io.ringkernel.cuda.load;

import io.ringkernel.cuda.driver.LaunchShape;

/**
 * How the workers of a kernel are spread over blocks: a block has as many as its
 * multiprocessor has schedulers, so that each warp issues its instructions at once. (32
 * warps in one block answer 2.9 million messages a second on an H200, and each of them
 * half a microsecond later.) Within a block a slow request holds up its own worker only;
 * it takes as many as a block has workers, all on positions of that block, to hold up
 * others.
 *
 * @param cooperative whether they wait for each other
 * @since 0.2.0
 */
public record WorkerGrid(int workers, int workersPerBlock, WorkerThreads threads, int sharedBytesPerWorker,
		boolean cooperative) {

	/**
	 * A warp for each of the four schedulers that a multiprocessor has had since Maxwell.
	 */
	static final int THREADS_PER_BLOCK = 128;

	/** The same with fewer blocks, each of which has all its workers. */
	WorkerGrid within(int blocks) {
		return new WorkerGrid(blocks * this.workersPerBlock, this.workersPerBlock, this.threads,
				this.sharedBytesPerWorker, this.cooperative);
	}

	public int blocks() {
		return (this.workers + this.workersPerBlock - 1) / this.workersPerBlock;
	}

	public LaunchShape shape() {
		return new LaunchShape(blocks(), this.workersPerBlock * this.threads.perWorker(),
				this.workersPerBlock * this.sharedBytesPerWorker, this.cooperative);
	}

}
