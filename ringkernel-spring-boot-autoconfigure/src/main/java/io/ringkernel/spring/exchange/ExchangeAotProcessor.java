package io.ringkernel.spring.exchange;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Has native images know the proxies of declared clients, and the methods that they read.
 */
class ExchangeAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		if (bean.getMergedBeanDefinition().hasBeanClass()
				&& bean.getMergedBeanDefinition().getBeanClass() == ExchangeFactory.class) {
			Class<?> type = bean.getBeanClass();
			return (generation, code) -> register(generation.getRuntimeHints(), type);
		}
		return null;
	}

	private static void register(RuntimeHints hints, Class<?> type) {
		hints.proxies().registerJdkProxy(type);
		for (Method method : type.getMethods()) {
			hints.reflection().registerType(method.getDeclaringClass(), MemberCategory.INVOKE_PUBLIC_METHODS);
		}
	}

}
