package io.ringkernel.cpu;

import io.ringkernel.backend.Processing;

/**
 * How many requests a worker handles before it checks for control commands.
 */
final class Iteration {

	private final Processing processing;

	private final int max;

	private int limit;

	Iteration(Processing processing, int max) {
		this.processing = processing;
		this.max = max;
		reset();
	}

	void reset() {
		this.limit = (this.processing == Processing.BATCH) ? this.max : 1;
	}

	int limit() {
		return this.limit;
	}

	void took(int taken) {
		if (this.processing == Processing.ADAPTIVE) {
			this.limit = (taken == this.limit) ? Math.min(this.limit * 2, this.max) : Math.max(this.limit / 2, 1);
		}
	}

}
