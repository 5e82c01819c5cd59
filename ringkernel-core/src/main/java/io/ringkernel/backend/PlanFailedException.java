package io.ringkernel.backend;

import io.ringkernel.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * The platform does not do, or does no longer, what an execution plan relies on; the
 * kernel itself is sound. A loop that reports it as its {@link DeviceLoop#failure()
 * failure} has ended for good: nothing of it reaches the memory any more, so that another
 * loop may take up its ring.
 */
public class PlanFailedException extends RingKernelException {

	private final String reason;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param reason what the platform does not do: a clause without a full stop
	 * @param cause how that showed, if by an exception
	 */
	public PlanFailedException(String kernelId, String reason, @Nullable Throwable cause) {
		super("Ring kernel '%s' cannot be run as planned: %s. Relaunch it to try again, or set ringkernel.mode and ringkernel.transport to auto."
			.formatted(kernelId, reason), cause);
		this.reason = reason;
	}

	/**
	 * What the platform does not do.
	 * @return a clause without a full stop
	 */
	public String reason() {
		return this.reason;
	}

}
