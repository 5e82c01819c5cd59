package io.ringkernel.spring.ai;

import java.lang.reflect.Method;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * What tells an embedding model from others. Spring AI has no method for it.
 */
final class EmbeddingModelName {

	private EmbeddingModelName() {
	}

	/** The model that its options name, or its class. The model is not called. */
	static String of(EmbeddingModel model) {
		Object proxied = AopProxyUtils.getSingletonTarget(model);
		Object target = (proxied != null) ? proxied : model;
		return Stream.of("getOptions", "getDefaultOptions")
			.map((getter) -> modelOf(target, getter))
			.filter(StringUtils::hasText)
			.findFirst()
			.orElseGet(() -> ClassUtils.getUserClass(target).getName());
	}

	private static @Nullable String modelOf(Object target, String getter) {
		Method method = ClassUtils.getMethodIfAvailable(target.getClass(), getter);
		if (method == null || !EmbeddingOptions.class.isAssignableFrom(method.getReturnType())) {
			return null;
		}
		ReflectionUtils.makeAccessible(method);
		EmbeddingOptions options = (EmbeddingOptions) ReflectionUtils.invokeMethod(method, target);
		return (options != null) ? options.getModel() : null;
	}

}
