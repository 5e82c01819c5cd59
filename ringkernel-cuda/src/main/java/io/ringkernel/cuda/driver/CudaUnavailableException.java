package io.ringkernel.cuda.driver;

import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * There is no CUDA driver that could be called.
 *
 * @since 0.1.0
 */
public class CudaUnavailableException extends RingKernelException {

	private final String reason;

	private final String remedy;

	/**
	 * Creates the exception.
	 * @param reason why: a clause without a full stop
	 * @param remedy what to do: a sentence
	 * @param cause what was thrown on the attempt, if anything
	 */
	public CudaUnavailableException(String reason, String remedy, @Nullable Throwable cause) {
		super("CUDA cannot be used: %s. %s".formatted(reason, remedy), cause);
		this.reason = reason;
		this.remedy = remedy;
	}

	/**
	 * {@return why there is none: a clause without a full stop}
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * {@return what to do: a sentence}
	 */
	public String remedy() {
		return this.remedy;
	}

}
