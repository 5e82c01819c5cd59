package io.ringkernel.control;

/**
 * What the host asks of the loop. The codes are part of the device ABI.
 *
 * @since 0.1.0
 */
public enum Command {

	/**
	 * Finish the requests that have been begun, and leave the rest for a later resume.
	 * Its code is zero, the content of fresh memory.
	 */
	STOP(0),

	/** Take requests. */
	RUN(1);

	private final int code;

	Command(int code) {
		this.code = code;
	}

	int code() {
		return this.code;
	}

}
