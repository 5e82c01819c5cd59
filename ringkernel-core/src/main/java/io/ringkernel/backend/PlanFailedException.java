package io.ringkernel.backend;

import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * The platform does not do, or does no longer, what an execution plan relies on; the
 * kernel itself is sound. A loop that reports it as its {@link DeviceLoop#failure()
 * failure} has ended for good: nothing of it reaches the memory any more, so that another
 * loop may take up its ring.
 *
 * @since 0.1.0
 */
public class PlanFailedException extends RingKernelException {

	private final String reason;

	private final @Nullable String remedy;

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
		this.remedy = null;
	}

	/**
	 * Creates the exception for a reason that has a remedy of its own.
	 * @param kernelId the kernel
	 * @param reason what the platform does not do: a clause without a full stop
	 * @param remedy what to change: a sentence
	 * @param cause how that showed, if by an exception
	 * @since 0.2.0
	 */
	public PlanFailedException(String kernelId, String reason, String remedy, @Nullable Throwable cause) {
		super("Ring kernel '%s' cannot be run as planned: %s. %s".formatted(kernelId, reason, remedy), cause);
		this.reason = reason;
		this.remedy = remedy;
	}

	/**
	 * {@return what to change, a sentence; {@code null} if another plan is the remedy}
	 * @since 0.2.0
	 */
	public @Nullable String remedy() {
		return this.remedy;
	}

	/**
	 * {@return what the platform does not do, a clause without a full stop}
	 */
	public String reason() {
		return this.reason;
	}

}
