package io.ringkernel.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.spring.boot.autoconfigure.RingKernelProperties.KernelProperties;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The names in {@link RingKernelProperties}, and the ways to spell them. */
final class PropertyNames {

	/** What the properties of a single kernel begin with. */
	static final String KERNELS = "ringkernel.kernels.";

	/** What the properties of every kernel begin with. */
	static final String DEFAULTS = "ringkernel.defaults.";

	/** What the properties of the kernel host begin with. */
	private static final String HOST = "ringkernel.host.";

	private static final List<String> HOST_SETTINGS = namesOf(RingKernelProperties.Host.class).toList();

	private static final List<String> SETTINGS = namesOf(KernelProperties.class).toList();

	/** Each element of a list may be a variable, with its index at the end. */
	private static final Set<String> LISTS = Arrays.stream(KernelProperties.class.getRecordComponents())
		.filter((component) -> component.getType() == List.class)
		.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()))
		.collect(Collectors.toUnmodifiableSet());

	private static final List<String> SINGLE = namesOf(RingKernelProperties.class)
		.filter((name) -> !List.of("defaults", "kernels", "host").contains(name))
		.toList();

	/** The variable of a kernel: its id, then the setting. */
	private static final Pattern KERNEL_VARIABLE = Pattern.compile("ringkernel_kernels_(.+)_" + variables(SETTINGS));

	private static final Pattern VARIABLE = Pattern.compile("ringkernel_(%s|host_%s|defaults_%s)"
		.formatted(variables(SINGLE), variables(HOST_SETTINGS), variables(SETTINGS)));

	private PropertyNames() {
	}

	private static Stream<String> namesOf(Class<? extends Record> properties) {
		return Arrays.stream(properties.getRecordComponents())
			.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()));
	}

	/** A hyphen is left out, as is usual, or is an underscore. */
	private static String variables(List<String> names) {
		return names.stream()
			.flatMap((name) -> Stream.of(name.replace("-", ""), name.replace("-", "_"))
				.map((variable) -> LISTS.contains(name) ? variable + "(?:_\\d+)?" : variable))
			.distinct()
			.collect(Collectors.joining("|", "(?:", ")"));
	}

	/** The settings of a kernel, in lower case with hyphens. */
	static List<String> settings() {
		return SETTINGS;
	}

	/** Whether there is such a property, for a kernel of whatever id. */
	static boolean contains(WrittenProperty property) {
		String[] elements = property.elements();
		if (property.variable()) {
			String variable = String.join("_", elements);
			return VARIABLE.matcher(variable).matches() || KERNEL_VARIABLE.matcher(variable).matches();
		}
		return switch (elements.length) {
			case 2 -> has(SINGLE, elements[1]);
			case 3 -> switch (elements[1]) {
				case "defaults" -> has(SETTINGS, elements[2]);
				case "host" -> has(HOST_SETTINGS, elements[2]);
				default -> false;
			};
			case 4 -> elements[1].equals("kernels") && elements[2].matches("[a-z0-9]+") && has(SETTINGS, elements[3]);
			default -> false;
		};
	}

	private static boolean has(List<String> names, String element) {
		return names.stream().map(WrittenProperty::plain).anyMatch(element::equals);
	}

	/** The id of the kernel that a property is of, as it is written. */
	static Optional<String> kernelIn(WrittenProperty property) {
		if (!contains(property)) {
			return Optional.empty();
		}
		if (property.variable()) {
			Matcher matcher = KERNEL_VARIABLE.matcher(String.join("_", property.elements()));
			return matcher.matches() ? Optional.of(matcher.group(1).toUpperCase(Locale.ROOT)) : Optional.empty();
		}
		return (property.elements().length == 4) ? Optional.of(property.name().split("[.\\[\\]]+", -1)[2])
				: Optional.empty();
	}

	/**
	 * What could have been meant by a property that does not exist.
	 * @return names, spelled in the way of the property
	 */
	static List<String> candidates(WrittenProperty unknown) {
		List<String> names = new ArrayList<>();
		SINGLE.forEach((name) -> names.add("ringkernel." + name));
		HOST_SETTINGS.forEach((setting) -> names.add(HOST + setting));
		SETTINGS.forEach((setting) -> names.add(DEFAULTS + setting));
		for (String id : ids(unknown)) {
			SETTINGS.forEach((setting) -> names.add(KERNELS + id + "." + setting));
		}
		return unknown.variable() ? names.stream().map(PropertyNames::variable).toList() : names;
	}

	/** In a variable, nothing but the order tells an id from a setting. */
	private static List<String> ids(WrittenProperty unknown) {
		String[] elements = unknown.variable() ? unknown.elements() : unknown.name().split("[.\\[\\]]+", -1);
		if (!unknown.variable()) {
			return (elements.length > 3) ? List.of(elements[2]) : List.of();
		}
		return IntStream.range(3, elements.length)
			.mapToObj((end) -> String.join("_", Arrays.copyOfRange(elements, 2, end)))
			.toList();
	}

	/** The environment variable of a property, in the spelling that is documented. */
	static String variable(String name) {
		return name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
	}

}
