package io.ringkernel.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Refuses properties below {@code ringkernel} that do not exist: binding would ignore
 * them without a word. Those that another {@link ConfigurationProperties} bean binds are
 * left to it.
 */
record UnknownPropertiesCheck(Environment environment) implements BeanFactoryPostProcessor {

	/**
	 * What Kubernetes tells every pod of a service whose name begins with ringkernel, and
	 * what the project's own tests and driver emulator read.
	 */
	private static final Pattern VARIABLES_OF_OTHERS = Pattern
		.compile("RINGKERNEL_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)"
				+ "|RINGKERNEL_(TEST|EMULATED|INTERPOSED)_.+");

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (this.environment instanceof ConfigurableEnvironment configurable) {
			List<String> prefixes = prefixesOfOthers(beanFactory);
			List<WrittenProperty> unknown = WrittenProperty.in(configurable)
				.filter((property) -> !PropertyNames.contains(property) && !isOfAnother(property, prefixes))
				.toList();
			if (!unknown.isEmpty()) {
				throw new UnknownPropertyException(unknown);
			}
		}
	}

	private static List<String> prefixesOfOthers(ConfigurableListableBeanFactory beanFactory) {
		return Arrays.stream(beanFactory.getBeanDefinitionNames())
			.map((name) -> beanFactory.findAnnotationOnBean(name, ConfigurationProperties.class, false))
			.filter(Objects::nonNull)
			.map((annotation) -> annotation.value().isEmpty() ? annotation.prefix() : annotation.value())
			.filter((prefix) -> prefix.startsWith("ringkernel."))
			.toList();
	}

	private static boolean isOfAnother(WrittenProperty property, List<String> prefixes) {
		if (property.variable()) {
			return VARIABLES_OF_OTHERS.matcher(property.name()).matches() || prefixes.stream()
				.anyMatch((prefix) -> property.name().startsWith(PropertyNames.variable(prefix) + "_"));
		}
		String name = String.join(".", property.elements());
		return prefixes.stream().anyMatch((prefix) -> name.startsWith(WrittenProperty.plain(prefix) + "."));
	}

}
