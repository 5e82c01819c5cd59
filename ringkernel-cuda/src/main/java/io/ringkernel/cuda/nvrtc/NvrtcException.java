package io.ringkernel.cuda.nvrtc;

import io.ringkernel.exception.RingKernelException;

/**
 * NVRTC does not compile a source. The message is what it says.
 *
 * @since 0.2.0
 */
public final class NvrtcException extends RingKernelException {

	private static final long serialVersionUID = 1;

	NvrtcException(String message) {
		super(message, null);
	}

}
