package io.ringkernel.spring;

/**
 * Two beans define a kernel with the same id.
 *
 * @since 0.1.0
 */
public class DuplicateKernelIdException extends KernelDefinitionException {

	/**
	 * Creates the exception.
	 * @param id the id that both have
	 * @param first the bean that was found first, described
	 * @param second the other bean, described
	 */
	public DuplicateKernelIdException(String id, String first, String second) {
		super("Two beans define a ring kernel with the id '%s': %s and %s. The id is the kernel's name in configuration, health and metrics, so it must be unique."
			.formatted(id, first, second),
				"Change the id in one of the two @RingKernel annotations, or remove the bean.", null);
	}

}
