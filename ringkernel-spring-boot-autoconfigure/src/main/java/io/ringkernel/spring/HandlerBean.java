package io.ringkernel.spring;

import java.lang.reflect.Method;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Replay;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * A bean that is annotated with {@link RingKernel @RingKernel}, as its definition
 * describes it; the bean itself is not created.
 *
 * @param origin where the bean comes from: a class, or a method of one
 * @param image where its CUDA image is found, or an empty string
 * @param replay what becomes of requests that may have been begun on a device that has
 * ended by force
 * @param primary whether the kernel is the primary one of its types
 */
record HandlerBean(String name, String origin, String id, String image, Replay replay, boolean primary,
		Class<?> request, Class<?> response) {

	static HandlerBean of(ConfigurableListableBeanFactory beanFactory, String name, RingKernel annotation) {
		RootBeanDefinition definition = definition(beanFactory, name);
		String origin = origin(definition);
		if (!StringUtils.hasText(annotation.id())) {
			// The registration of the beans would refuse it first, as a bean name.
			throw new InvalidHandlerBeanException(annotation.id(), describe(name, origin), "the id is no valid id.",
					"Use lower-case letters and digits, with single hyphens between them, such as 'vector-add'.", null);
		}
		ResolvableType type = definition.getResolvableType();
		ResolvableType handler = type.as(RingKernelHandler.class);
		if (!RingKernelHandler.class.isAssignableFrom(type.toClass())) {
			throw new InvalidHandlerBeanException(annotation.id(), describe(name, origin),
					"its type %s is no RingKernelHandler, so there is nothing to run.".formatted(type),
					"Implement io.ringkernel.RingKernelHandler, or remove @RingKernel.", null);
		}
		BeanDefinition bean = beanFactory.getMergedBeanDefinition(name);
		if (!bean.isSingleton()) {
			throw new InvalidHandlerBeanException(annotation.id(), describe(name, origin),
					"its scope is '%s', but a kernel has one handler for as long as it lives."
						.formatted(bean.getScope()),
					"Make the bean a singleton, or put a scoped proxy in front of it: "
							+ "@Scope(proxyMode = ScopedProxyMode.TARGET_CLASS).",
					null);
		}
		return new HandlerBean(name, origin, annotation.id(), annotation.image(), annotation.replay(),
				annotation.primary() || bean.isPrimary(),
				message(annotation.id(), describe(name, origin), handler, 0, "request"),
				message(annotation.id(), describe(name, origin), handler, 1, "response"));
	}

	/**
	 * The definition of the bean, or of what stands behind it where it is a scoped proxy.
	 */
	private static RootBeanDefinition definition(ConfigurableListableBeanFactory beanFactory, String name) {
		String target = ScopedProxyUtils.getTargetBeanName(name);
		String described = beanFactory.containsBeanDefinition(target) ? target : name;
		// Resolves the factory method, if there is one.
		beanFactory.getType(described, false);
		return (RootBeanDefinition) beanFactory.getMergedBeanDefinition(described);
	}

	private static Class<?> message(String id, String bean, ResolvableType handler, int index, String role) {
		Class<?> message = handler.getGeneric(index).resolve();
		if (message == null || message == Record.class) {
			throw new InvalidHandlerBeanException(id, bean,
					"its type %s does not say which record is the %s.".formatted(handler, role),
					"Declare both type arguments, as in RingKernelHandler<AddRequest, AddResponse>, "
							+ "on the class or as the return type of the @Bean method.",
					null);
		}
		return message;
	}

	private static String origin(RootBeanDefinition definition) {
		Method method = definition.getResolvedFactoryMethod();
		if (method != null) {
			return "%s.%s()".formatted(ClassUtils.getQualifiedName(ClassUtils.getUserClass(method.getDeclaringClass())),
					method.getName());
		}
		return String.valueOf(definition.getBeanClassName());
	}

	/** The bean, as a failure names it. */
	String describe() {
		return describe(this.name, this.origin);
	}

	private static String describe(String name, String origin) {
		return "'%s' (%s)".formatted(name, origin);
	}

}
