package io.ringkernel.spring;

import java.util.Collection;

/**
 * A child context defines kernels, but has nothing that registers and runs them.
 *
 * @since 0.2.0
 */
public class UnservedKernelsException extends KernelDefinitionException {

	/**
	 * Creates the exception.
	 * @param context the name of the child context
	 * @param beans the names of the beans that are annotated with {@link RingKernel}
	 */
	public UnservedKernelsException(String context, Collection<String> beans) {
		super("The child context '%s' has the beans '%s', which are annotated with @RingKernel, but it does not run ring kernels: only its parent does."
			.formatted(context, String.join("', '", beans)),
				"Add @ImportAutoConfiguration(RingKernelAutoConfiguration.class) to the child context, or define the beans in its parent.",
				null);
	}

}
