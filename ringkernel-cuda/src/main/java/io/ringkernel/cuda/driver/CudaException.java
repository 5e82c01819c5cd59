package io.ringkernel.cuda.driver;

import io.ringkernel.exception.RingKernelException;

/**
 * The CUDA driver reported an error. The message names what was attempted, the error and
 * the remedy.
 *
 * @since 0.1.0
 */
public class CudaException extends RingKernelException {

	private final String attempted;

	private final CudaStatus status;

	private final String log;

	/**
	 * Creates the exception.
	 * @param attempted what was attempted, with the name of the call:
	 * {@code "cuMemAlloc of 64 B"}
	 * @param status the error
	 */
	public CudaException(String attempted, CudaStatus status) {
		this(attempted, status, "");
	}

	/**
	 * Creates the exception.
	 * @param attempted what was attempted, with the name of the call
	 * @param status the error
	 * @param log what the driver's compiler wrote, or nothing
	 */
	public CudaException(String attempted, CudaStatus status, String log) {
		super("%s failed with %s (%d). %s%s".formatted(attempted, status.name(), status.code(), status.remedy(),
				log.isEmpty() ? "" : " The driver's compiler says: " + log), null);
		this.attempted = attempted;
		this.status = status;
		this.log = log;
	}

	/**
	 * {@return what was attempted, and the error, without the remedy: sentences}
	 */
	public String problem() {
		return "%s failed with %s (%d).%s".formatted(this.attempted, this.status.name(), this.status.code(),
				this.log.isEmpty() ? "" : " The driver's compiler says: " + this.log);
	}

	/**
	 * {@return the name of the call, with what it was called for}
	 */
	public String attempted() {
		return this.attempted;
	}

	/**
	 * {@return the error}
	 */
	public CudaStatus status() {
		return this.status;
	}

}
