package io.ringkernel.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.stream.Collectors;

import io.ringkernel.RingKernelClient;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * Explains why there is no {@link RingKernelClient} of the type that a bean asks for.
 */
class NoSuchClientFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> implements Ordered {

	private final BeanFactory beanFactory;

	private final Environment environment;

	NoSuchClientFailureAnalyzer(BeanFactory beanFactory, Environment environment) {
		this.beanFactory = beanFactory;
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		ResolvableType type = cause.getResolvableType();
		if (type == null || type.toClass() != RingKernelClient.class
				|| cause instanceof NoUniqueBeanDefinitionException) {
			return null;
		}
		if (!this.environment.getProperty("ringkernel.enabled", Boolean.class, true)) {
			return new FailureAnalysis("There is no %s, because 'ringkernel.enabled' is false.".formatted(type),
					"Set ringkernel.enabled to true, or inject an ObjectProvider of the client.", cause);
		}
		return new FailureAnalysis("There is no %s. %s".formatted(type, clients()),
				"Annotate a RingKernelHandler bean of these types with @RingKernel, where component scanning finds it, "
						+ "or correct the type arguments or the qualifier.",
				cause);
	}

	private String clients() {
		if (!(this.beanFactory instanceof ConfigurableListableBeanFactory listable)) {
			return "";
		}
		String clients = Arrays.stream(listable.getBeanNamesForType(RingKernelClient.class, true, false))
			.map((name) -> "'%s' (%s)".formatted(name, listable.getMergedBeanDefinition(name).getResolvableType()))
			.collect(Collectors.joining(", "));
		return clients.isEmpty() ? "No bean is annotated with @RingKernel." : "The clients are " + clients + ".";
	}

	@Override
	public int getOrder() {
		return 0;
	}

}
