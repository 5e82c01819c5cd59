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
		super(sentence(kernelId, problem), cause);
		this.kernelId = kernelId;
		this.problem = sentence(kernelId, problem);
		this.remedy = null;
	}

	/**
	 * Creates the exception.
	 * @param kernelId the kernel
	 * @param problem the sentence that explains it
	 * @param remedy what to change: a sentence
	 * @param cause what led to it, if anything
	 */
	public KernelLaunchException(String kernelId, String problem, String remedy, @Nullable Throwable cause) {
		super(sentence(kernelId, problem) + " " + remedy, cause);
		this.kernelId = kernelId;
		this.problem = sentence(kernelId, problem);
		this.remedy = remedy;
	}

	private static String sentence(String kernelId, String problem) {
		return "Ring kernel '%s' cannot be launched: %s".formatted(kernelId, problem);
	}

	/**
	 * The kernel that could not be launched.
	 * @return its id
	 * @since 0.2.0
	 */
	public String kernelId() {
		return this.kernelId;
	}

	/**
	 * Why the kernel could not be launched.
	 * @return a clause without a full stop, that can follow "because"
	 * @since 0.2.0
	 */
	public String reason() {
		String sentence = this.problem.substring(this.problem.indexOf(": ") + 2).strip();
		return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
	}

	/**
	 * What is wrong, and why.
	 * @return sentences
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * What to change.
	 * @return a sentence; {@code null} where {@link #problem} says it
	 */
	public @Nullable String remedy() {
		return this.remedy;
	}

}
