package io.ringkernel.exception;

import org.jspecify.annotations.Nullable;

/**
 * No device can run a kernel's CUDA image: the file is not there, is no image, or was
 * built for another kernel, other records or another version of this library.
 *
 * @since 0.2.0
 */
public class UnusableImageException extends KernelLaunchException {

	private final String reason;

	private final String explanation;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param reason why: a clause without a full stop that names the image, what was
	 * expected and what was found
	 * @param remedy what to change: a sentence
	 * @param cause what led to it, if anything
	 */
	public UnusableImageException(String kernelId, String reason, String remedy, @Nullable Throwable cause) {
		this(kernelId, reason, "", remedy, cause);
	}

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param reason why: a clause without a full stop that names the image, what was
	 * expected and what was found
	 * @param details what else helps to understand it, such as both layouts; empty if
	 * nothing does
	 * @param remedy what to change: a sentence
	 * @param cause what led to it, if anything
	 */
	public UnusableImageException(String kernelId, String reason, String details, String remedy,
			@Nullable Throwable cause) {
		super(kernelId, sentences(reason, details), remedy, cause);
		this.reason = reason;
		this.explanation = sentences(reason, details) + " " + remedy;
	}

	private static String sentences(String reason, String details) {
		return details.isEmpty() ? reason + "." : reason + ". " + details;
	}

	/**
	 * {@return why the image cannot be used: a clause without a full stop, on one line}
	 */
	@Override
	public String reason() {
		return this.reason;
	}

	/**
	 * {@return why the image cannot be used: the clause of {@link #reason}, then details
	 * and remedy in sentences; may have several lines}
	 */
	public String explanation() {
		return this.explanation;
	}

}
