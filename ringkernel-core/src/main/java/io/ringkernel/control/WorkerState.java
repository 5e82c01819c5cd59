package io.ringkernel.control;

/**
 * What a worker does. The ordinals are part of the device ABI.
 */
public enum WorkerState {

	/** Rests, was not launched yet, or has ended. */
	OUT,

	/** Looks for requests. */
	POLLING,

	/** Handles a request. */
	HANDLING;

	private static final WorkerState[] VALUES = values();

	static WorkerState of(int ordinal) {
		return (ordinal >= 0 && ordinal < VALUES.length) ? VALUES[ordinal] : OUT;
	}

}
