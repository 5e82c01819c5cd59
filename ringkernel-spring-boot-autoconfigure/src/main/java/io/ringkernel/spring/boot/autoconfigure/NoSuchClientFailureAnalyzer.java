package io.ringkernel.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.exchange.RingKernelProxyFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/** Explains why a client or {@link Kernel} to be injected is missing or ambiguous. */
class NoSuchClientFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException>
		implements Ordered {

	private static final Set<Class<?>> OF_KERNELS = Set.of(RingKernelClient.class, Kernel.class);

	private final BeanFactory beanFactory;

	private final Environment environment;

	NoSuchClientFailureAnalyzer(BeanFactory beanFactory, Environment environment) {
		this.beanFactory = beanFactory;
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		ResolvableType type = cause.getResolvableType();
		if (type == null) {
			return null;
		}
		String whose = (description != null) ? description : "A bean";
		if (RingKernelProxyFactory.isExchange(type.toClass())) {
			return (cause instanceof NoUniqueBeanDefinitionException) ? null : noExchange(type, whose, cause);
		}
		if (!OF_KERNELS.contains(type.toClass())) {
			return null;
		}
		return (cause instanceof NoUniqueBeanDefinitionException several) ? several(type, whose, several)
				: none(type, whose, cause);
	}

	private static FailureAnalysis noExchange(ResolvableType type, String whose, NoSuchBeanDefinitionException cause) {
		return new FailureAnalysis(
				"%s requires a bean of the interface %s, which calls ring kernels but is not ".formatted(whose, type)
						+ "imported.",
				"Annotate a @Configuration class, such as the main class, with @ImportRingKernelExchanges: on a class "
						+ "in the interface's package or one above it, or with types = %s.class."
							.formatted(type.toClass().getSimpleName()),
				cause);
	}

	private FailureAnalysis none(ResolvableType type, String whose, NoSuchBeanDefinitionException cause) {
		String missing = "%s requires a bean of type %s. There is none".formatted(whose, type);
		if (!this.environment.getProperty("ringkernel.enabled", Boolean.class, true)) {
			return new FailureAnalysis(missing + ", because 'ringkernel.enabled' is false.",
					"Set ringkernel.enabled to true, or inject an ObjectProvider.", cause);
		}
		return new FailureAnalysis("%s. %s".formatted(missing, candidates(type.toClass())),
				"Annotate a RingKernelHandler bean of these types with @RingKernel, where component scanning finds it, "
						+ "or correct the type arguments or the qualifier.",
				cause);
	}

	private FailureAnalysis several(ResolvableType type, String whose, NoUniqueBeanDefinitionException cause) {
		List<String> names = List.copyOf(cause.getBeanNamesFound());
		String example = names.isEmpty() ? "vector-add" : idOf(names.get(0));
		return new FailureAnalysis("%s requires one bean of type %s. There are %d: %s.".formatted(whose, type,
				cause.getNumberOfBeansFound(), names.stream().map(this::describe).collect(Collectors.joining(", "))),
				"Name the kernel where the bean is injected, as in @Qualifier(\"%s\"), or make one of them the default "
					.formatted(example) + "with @RingKernel(primary = true) or with @Primary on its handler.",
				cause);
	}

	private static String idOf(String beanName) {
		return beanName.endsWith(".kernel") ? beanName.substring(0, beanName.lastIndexOf('.')) : beanName;
	}

	private String candidates(Class<?> type) {
		if (!(this.beanFactory instanceof ConfigurableListableBeanFactory listable)) {
			return "";
		}
		String found = Arrays.stream(listable.getBeanNamesForType(type, true, false))
			.map(this::describe)
			.collect(Collectors.joining(", "));
		return found.isEmpty() ? "No bean is annotated with @RingKernel."
				: "The beans of type %s are %s.".formatted(type.getSimpleName(), found);
	}

	/**
	 * A bean by its name and type, and by what defines it if its definition says that.
	 */
	private String describe(String name) {
		if (!(this.beanFactory instanceof ConfigurableListableBeanFactory listable)
				|| !listable.containsBeanDefinition(name)) {
			return "'%s'".formatted(name);
		}
		BeanDefinition definition = listable.getMergedBeanDefinition(name);
		String origin = definition.getResourceDescription();
		return (origin != null) ? "'%s' (%s, of %s)".formatted(name, definition.getResolvableType(), origin)
				: "'%s' (%s)".formatted(name, definition.getResolvableType());
	}

	@Override
	public int getOrder() {
		return 0;
	}

}
