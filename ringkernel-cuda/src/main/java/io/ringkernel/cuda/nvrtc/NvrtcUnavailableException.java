package io.ringkernel.cuda.nvrtc;

import io.ringkernel.exception.RingKernelException;

/**
 * There is no NVRTC, or no way to call it.
 *
 * @since 0.2.0
 */
public final class NvrtcUnavailableException extends RingKernelException {

	private static final long serialVersionUID = 1;

	private final String remedy;

	NvrtcUnavailableException(String reason, String remedy, Throwable cause) {
		super(reason, cause);
		this.remedy = remedy;
	}

	/**
	 * {@return what to do about it: a sentence}
	 */
	public String remedy() {
		return this.remedy;
	}

}
