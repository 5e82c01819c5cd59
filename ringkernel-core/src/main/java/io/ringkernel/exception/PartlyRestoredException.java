package io.ringkernel.exception;

/**
 * A snapshot could not be read to its end, and a part of a kernel's state was replaced by
 * then. The kernel is {@link io.ringkernel.KernelState#FAILED}: it would answer from
 * parts of two states.
 *
 * @since 0.2.0
 */
public class PartlyRestoredException extends RingKernelException {

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param file the snapshot
	 * @param cause why it could not be read
	 */
	public PartlyRestoredException(String kernelId, Object file, Throwable cause) {
		super(("A part of the state of ring kernel '%s' is that of '%s', which could not be read to its end (%s). "
				+ "Relaunch the kernel and restore a snapshot that can be read.")
			.formatted(kernelId, file, cause), cause);
	}

}
