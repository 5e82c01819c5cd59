package io.ringkernel.sample.stream.kernel;

/**
 * What became of a request.
 */
public enum Outcome {

	/** It was carried out. */
	DONE,

	/** The partition has no room for another card. Nothing was changed. */
	FULL,

	/** The kernel has another epoch of the partition, or model. Nothing was changed. */
	STALE

}
