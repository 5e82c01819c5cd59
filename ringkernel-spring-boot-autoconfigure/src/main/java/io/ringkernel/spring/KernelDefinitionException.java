package io.ringkernel.spring;

import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * The application defines its kernels in a way that cannot work. Thrown while the
 * application context is refreshed, before any kernel is launched.
 *
 * @since 0.1.0
 */
public abstract class KernelDefinitionException extends RingKernelException {

	private final String problem;

	private final String remedy;

	/**
	 * Creates the exception.
	 * @param problem what is wrong and why: sentences
	 * @param remedy what to change: a sentence
	 * @param cause what led to it, if anything
	 */
	protected KernelDefinitionException(String problem, String remedy, @Nullable Throwable cause) {
		super(problem + " " + remedy, cause);
		this.problem = problem;
		this.remedy = remedy;
	}

	/**
	 * {@return what is wrong, and why: sentences}
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * {@return what to change: a sentence}
	 */
	public String remedy() {
		return this.remedy;
	}

}
