package io.ringkernel.spring;

import org.jspecify.annotations.Nullable;

/**
 * A bean is annotated with {@link RingKernel @RingKernel}, but cannot be a kernel: it is
 * no handler, or what it speaks is not known or cannot be laid out.
 *
 * @since 0.1.0
 */
public class InvalidHandlerBeanException extends KernelDefinitionException {

	/**
	 * Creates the exception.
	 * @param id the id of the kernel
	 * @param bean the bean, described
	 * @param problem what is wrong with it: the rest of a sentence that begins with the
	 * bean
	 * @param remedy what to change: a sentence
	 * @param cause what led to it, if anything
	 */
	public InvalidHandlerBeanException(String id, String bean, String problem, String remedy,
			@Nullable Throwable cause) {
		super("The bean %s cannot be the ring kernel '%s': %s".formatted(bean, id, problem), remedy, cause);
	}

}
