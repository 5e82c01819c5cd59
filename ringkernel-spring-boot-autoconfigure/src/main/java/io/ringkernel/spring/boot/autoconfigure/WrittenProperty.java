package io.ringkernel.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * A property of ring kernels as it was written: in a file, on the command line or as an
 * environment variable.
 *
 * @param name its name, spelled as in its source
 * @param variable whether it is an environment variable
 * @param origin where it is set
 */
record WrittenProperty(String name, boolean variable, Origin origin) {

	private static final String PREFIX = "ringkernel";

	/**
	 * All properties of ring kernels in an environment, those of the strongest source
	 * first. Sources that cannot be enumerated have none.
	 */
	static Stream<WrittenProperty> in(ConfigurableEnvironment environment) {
		return environment.getPropertySources()
			.stream()
			.filter(EnumerablePropertySource.class::isInstance)
			.flatMap((source) -> in((EnumerablePropertySource<?>) source));
	}

	private static Stream<WrittenProperty> in(EnumerablePropertySource<?> source) {
		boolean variables = holdsVariables(source);
		return Arrays.stream(source.getPropertyNames())
			.map((name) -> new WrittenProperty(name, variables, PropertySourceOrigin.get(source, name)))
			.filter((property) -> property.elements()[0].equals(PREFIX));
	}

	private static boolean holdsVariables(PropertySource<?> source) {
		String environment = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		return source instanceof SystemEnvironmentPropertySource
				&& (source.getName().equals(environment) || source.getName().endsWith("-" + environment));
	}

	/**
	 * The elements of the name, without what spellings differ in. Those of a variable are
	 * its words, because an underscore stands for a dot as well as for a hyphen. The
	 * index in a list is no element.
	 */
	String[] elements() {
		if (this.variable) {
			return this.name.toLowerCase(Locale.ROOT).split("[._-]", -1);
		}
		return Arrays.stream(this.name.replaceFirst("\\[\\d+]$", "").replace("]", "").split("\\.?\\[|\\.", -1))
			.map(WrittenProperty::plain)
			.toArray(String[]::new);
	}

	static String plain(String element) {
		return element.toLowerCase(Locale.ROOT).replaceAll("[_-]", "");
	}

}
