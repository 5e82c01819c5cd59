package io.ringkernel.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.ringkernel.spring.KernelDefinitionException;
import io.ringkernel.spring.NearestName;

/** Properties of ring kernels do not exist; says where they are, and what was meant. */
final class UnknownPropertyException extends KernelDefinitionException {

	/** What all names have in common, and so does not tell which one is near. */
	private static final String PREFIX = "ringkernel.";

	UnknownPropertyException(List<WrittenProperty> properties) {
		super(lines(properties, (property) -> "There is no property '%s'. It is set in %s.".formatted(property.name(),
				property.origin())), lines(properties, UnknownPropertyException::remedy), null);
	}

	private static String lines(List<WrittenProperty> properties, Function<WrittenProperty, String> line) {
		return properties.stream().map(line).distinct().collect(Collectors.joining("%n".formatted()));
	}

	private static String remedy(WrittenProperty unknown) {
		return meant(unknown)
			.map((name) -> "Write '%s' in place of '%s', or remove it.".formatted(name, unknown.name()))
			.orElseGet(() -> "Remove '%s'.".formatted(unknown.name()));
	}

	/** A setting without its group is that of every kernel. */
	private static Optional<String> meant(WrittenProperty unknown) {
		String[] elements = unknown.elements();
		int last = unknown.variable() ? 1 : elements.length - 1;
		if (unknown.variable() || elements.length < 4) {
			String setting = String.join("", Arrays.copyOfRange(elements, last, elements.length));
			Optional<String> name = PropertyNames.settings()
				.stream()
				.filter((candidate) -> WrittenProperty.plain(candidate).equals(setting))
				.map((candidate) -> PropertyNames.DEFAULTS + candidate)
				.findFirst();
			if (name.isPresent()) {
				return unknown.variable() ? name.map(PropertyNames::variable) : name;
			}
		}
		int prefix = PREFIX.length();
		if (unknown.name().length() < prefix) {
			return Optional.empty();
		}
		return NearestName
			.to(unknown.name().substring(prefix),
					PropertyNames.candidates(unknown).stream().map((name) -> name.substring(prefix)).toList())
			.map((nearest) -> unknown.name().substring(0, prefix) + nearest);
	}

}
