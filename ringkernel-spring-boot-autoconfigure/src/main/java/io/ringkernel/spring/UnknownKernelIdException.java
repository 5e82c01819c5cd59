package io.ringkernel.spring;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Something refers to a kernel that does not exist.
 *
 * @since 0.1.0
 */
public class UnknownKernelIdException extends KernelDefinitionException {

	/**
	 * Creates the exception.
	 * @param prefix what the id is written behind, such as {@code ringkernel.kernels.}
	 * @param id the id that does not exist
	 * @param problem the rest of the sentence that begins with both
	 * @param known the ids of the kernels that exist
	 */
	public UnknownKernelIdException(String prefix, String id, String problem, Collection<String> known) {
		super("'%s%s' %s %s".formatted(prefix, id, problem, list(known)), suggest(prefix, id, known), null);
	}

	private static String list(Collection<String> known) {
		if (known.isEmpty()) {
			return "The application has no ring kernel: no bean is annotated with @RingKernel.";
		}
		return known.stream().collect(Collectors.joining("', '", "The ring kernels are '", "'."));
	}

	private static String suggest(String prefix, String id, Collection<String> known) {
		return NearestName.to(id, known)
			.map((nearest) -> "Did you mean '%s%s'?".formatted(prefix, nearest))
			.orElse("Remove it, or let component scanning find the handler.");
	}

}
