package io.ringkernel.platform;

/**
 * How the device loop is kept running. The backend chooses: for a CUDA device
 * {@code CudaPlans}, for the CPU {@code CpuBackendProvider}.
 *
 * @since 0.1.0
 */
public enum ExecutionMode {

	/** Launched once; waits for requests itself. The lowest latency. */
	PERSISTENT,

	/**
	 * Launched when a request is there; ends when it finds no more. For platforms on
	 * which a running kernel blocks the driver, and for kernels that are rarely used.
	 */
	EVENT_DRIVEN

}
