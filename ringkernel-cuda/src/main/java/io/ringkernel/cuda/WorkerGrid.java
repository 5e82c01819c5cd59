package io.ringkernel.cuda;

import io.ringkernel.cuda.driver.LaunchShape;

/**
 * How the workers of a kernel are spread over blocks. As many as fit share a block: they
 * then share one poller of the ring, and few pollers are what keeps idle workers off the
 * bus.
 *
 * @param workers how many there are
 * @param workersPerBlock how many share a block
 * @param threadsPerWorker threads of each
 * @param sharedBytesPerWorker shared memory of each
 */
record WorkerGrid(int workers, int workersPerBlock, int threadsPerWorker, int sharedBytesPerWorker) {

	int blocks() {
		return (this.workers + this.workersPerBlock - 1) / this.workersPerBlock;
	}

	LaunchShape shape() {
		return new LaunchShape(blocks(), this.workersPerBlock * this.threadsPerWorker,
				this.workersPerBlock * this.sharedBytesPerWorker);
	}

}
