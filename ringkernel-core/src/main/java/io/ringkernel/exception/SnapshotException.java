package io.ringkernel.exception;

import org.jspecify.annotations.Nullable;

/**
 * The state of a kernel cannot be written to a snapshot, or a snapshot is not of that
 * kernel as it is now.
 *
 * @since 0.2.0
 */
public class SnapshotException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param problem what is wrong: a clause without a full stop
	 * @param remedy what to do: a sentence
	 * @param cause the cause, or {@code null}
	 */
	public SnapshotException(String kernelId, String problem, String remedy, @Nullable Throwable cause) {
		super("The state of ring kernel '%s' is not saved or restored: %s. %s".formatted(kernelId, problem, remedy),
				cause);
	}

}
