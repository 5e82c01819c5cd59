package io.ringkernel.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

import io.ringkernel.platform.ConfiguredName;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Explains why a value of a property of ring kernels cannot be converted, and tells the
 * form that can. Spring Boot's analyzer explains everything else that may be wrong.
 */
class RingKernelBindFailureAnalyzer extends AbstractFailureAnalyzer<BindException> implements Ordered {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("ringkernel");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		Class<?> type = cause.getTarget().getType().resolve(Object.class);
		String form = form(ClassUtils.resolvePrimitiveIfNecessary(type));
		if (property == null || form == null || !PREFIX.isAncestorOf(cause.getName())) {
			return null;
		}
		return new FailureAnalysis("'%s' has the value '%s', which is not %s. It is set in %s."
			.formatted(cause.getName(), property.getValue(), form, property.getOrigin()),
				"Set it to %s.".formatted(form), cause);
	}

	private static @Nullable String form(Class<?> type) {
		if (type.isEnum()) {
			return Arrays.stream(type.getEnumConstants())
				.map((constant) -> ConfiguredName.of((Enum<?>) constant))
				.collect(Collectors.joining(", ", "one of ", ""));
		}
		if (type == Integer.class) {
			return "a whole number such as 32, at most " + Integer.MAX_VALUE;
		}
		if (type == Boolean.class) {
			return "true or false";
		}
		if (type == Duration.class) {
			return "a duration such as 200us, 500ms or 5s";
		}
		return (type == DataSize.class) ? "a size such as 64KB, 4MB or 1GB" : null;
	}

	@Override
	public int getOrder() {
		return 0;
	}

}
