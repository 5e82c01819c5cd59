package io.ringkernel.control;

/**
 * What a worker does. The codes are part of the device ABI.
 *
 * @since 0.1.0
 */
public enum WorkerState {

	/** Rests, was not launched yet, or has ended. */
	OUT(0),

	/** Looks for requests. */
	POLLING(1),

	/** Handles a request. */
	HANDLING(2);

	private static final WorkerState[] VALUES = values();

	private final int code;

	WorkerState(int code) {
		this.code = code;
	}

	int code() {
		return this.code;
	}

	static WorkerState of(int code) {
		return (code >= 0 && code < VALUES.length) ? VALUES[code] : OUT;
	}

}
