package io.ringkernel.spring.boot.autoconfigure;

import java.util.Collection;
import java.util.stream.Collectors;

import io.ringkernel.spring.KernelDefinitionException;

/**
 * A kernel is configured that does not exist.
 */
public class UnknownKernelIdException extends KernelDefinitionException {

	/**
	 * Creates the exception.
	 * @param id the id that is configured
	 * @param known the ids of the kernels that exist
	 */
	public UnknownKernelIdException(String id, Collection<String> known) {
		super("'ringkernel.kernels.%s' configures a ring kernel that does not exist. %s".formatted(id, list(known)),
				suggest(id, known), null);
	}

	private static String list(Collection<String> known) {
		if (known.isEmpty()) {
			return "The application has no ring kernel: no bean is annotated with @RingKernel.";
		}
		return known.stream().collect(Collectors.joining("', '", "The ring kernels are '", "'."));
	}

	private static String suggest(String id, Collection<String> known) {
		return NearestName.to(id, known)
			.map((nearest) -> "Did you mean 'ringkernel.kernels.%s'?".formatted(nearest))
			.orElse("Remove the property, or let component scanning find the handler.");
	}

}
