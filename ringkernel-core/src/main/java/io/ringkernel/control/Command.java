package io.ringkernel.control;

/**
 * What the host asks of the loop. The codes are part of the device ABI.
 */
public enum Command {

	/**
	 * Finish what has been begun, and leave everything as it is for a later resume. Zero,
	 * so that memory which nobody has written to says it.
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
