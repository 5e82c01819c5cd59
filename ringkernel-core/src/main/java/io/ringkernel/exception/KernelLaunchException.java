package io.ringkernel.exception;

import org.jspecify.annotations.Nullable;

/**
 * A kernel could not be launched. The message names what was checked or attempted, the
 * value, the limit and the remedy.
 *
 * @since 0.1.0
 */
public class KernelLaunchException extends RingKernelException {

	private final String kernelId;

	private final String problem;

	private final @Nullable String remedy;

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param problem the sentence that explains it, with the remedy
	 * @param cause what led to it, if anything
	 */
	public KernelLaunchException(String kernelId, String problem, @Nullable Throwable cause) {
		this(kernelId, problem, null, cause);
	}

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param problem the sentence that explains it
	 * @param remedy what to change: a sentence; {@code null} where the problem says it
	 * @param cause what led to it, if anything
	 */
	public KernelLaunchException(String kernelId, String problem, @Nullable String remedy, @Nullable Throwable cause) {
		super(sentence(kernelId, problem) + ((remedy != null) ? " " + remedy : ""), cause);
		this.kernelId = kernelId;
		this.problem = problem;
		this.remedy = remedy;
	}

	private static String sentence(String kernelId, String problem) {
		return "Ring kernel '%s' cannot be launched: %s".formatted(kernelId, problem);
	}

	/**
	 * {@return the id of the kernel that could not be launched}
	 * @since 0.2.0
	 */
	public String kernelId() {
		return this.kernelId;
	}

	/**
	 * {@return why the kernel could not be launched: a clause without a full stop, that
	 * can follow "because"}
	 * @since 0.2.0
	 */
	public String reason() {
		String sentence = this.problem.strip();
		return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
	}

	/**
	 * {@return what is wrong, and why: sentences}
	 */
	public String problem() {
		return sentence(this.kernelId, this.problem);
	}

	/**
	 * {@return what to change: a sentence; {@code null} where {@link #problem} says it}
	 */
	public @Nullable String remedy() {
		return this.remedy;
	}

}
