package io.ringkernel;

import org.jspecify.annotations.Nullable;

/**
 * A kernel could not be launched. The message names what was checked or attempted, the
 * value, the limit and the remedy.
 */
public class KernelLaunchException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param problem the sentence that explains it
	 * @param cause what led to it, if anything
	 */
	public KernelLaunchException(String kernelId, String problem, @Nullable Throwable cause) {
		super("Ring kernel '%s' cannot be launched: %s".formatted(kernelId, problem), cause);
	}

}
