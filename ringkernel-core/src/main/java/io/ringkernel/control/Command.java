package io.ringkernel.control;

/**
 * What the host asks of the loop. The ordinals are part of the device ABI.
 */
public enum Command {

	/**
	 * Finish what has been begun, and leave everything as it is for a later resume. Zero,
	 * so that memory which nobody has written to says it.
	 */
	STOP,

	/** Take requests. */
	RUN

}
