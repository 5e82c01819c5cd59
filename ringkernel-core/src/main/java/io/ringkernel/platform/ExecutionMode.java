package io.ringkernel.platform;

/**
 * How the device loop is kept running.
 */
public enum ExecutionMode {

	/** Launched once; waits for requests itself. The lowest latency. */
	PERSISTENT,

	/**
	 * Launched when there is something to do, and ends when there is not: for platforms
	 * where a running kernel blocks the driver, and for kernels that are rarely used.
	 */
	EVENT_DRIVEN

}
