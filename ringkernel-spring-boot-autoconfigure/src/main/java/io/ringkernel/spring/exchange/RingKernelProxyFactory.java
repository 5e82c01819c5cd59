package io.ringkernel.spring.exchange;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.KernelDefinitionException;
import io.ringkernel.spring.UnknownKernelIdException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Implements interfaces that are annotated with
 * {@link RingKernelExchange @RingKernelExchange}. {@link ImportRingKernelExchanges} calls
 * it for each that it registers; applications may call it themselves.
 *
 * @since 0.1.0
 */
public class RingKernelProxyFactory {

	private static final String KERNEL_SUFFIX = ".kernel";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the factory.
	 * @param beanFactory where the clients of kernels are beans, with the kernels' ids as
	 * qualifiers
	 */
	public RingKernelProxyFactory(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Implements an interface. Every method is checked against its kernel first.
	 * @param <T> the interface
	 * @param type the interface
	 * @return an implementation, safe for use by any number of threads
	 * @throws KernelDefinitionException if a method cannot call a kernel, or its kernel
	 * does not exist
	 */
	public <T> T create(Class<T> type) {
		if (!type.isInterface()) {
			throw new InvalidExchangeException(type.getName(), "is no interface.",
					"Declare it as an interface, and let the methods that call a kernel be abstract.");
		}
		Map<Method, ExchangeCall> calls = new LinkedHashMap<>();
		for (Method method : type.getMethods()) {
			// An interface such as Comparator may declare those of Object once more.
			if (Modifier.isAbstract(method.getModifiers()) && !ReflectionUtils.isObjectMethod(method)) {
				calls.put(method, call(type, method));
			}
		}
		return type.cast(
				Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, new ExchangeProxy(type, calls)));
	}

	/**
	 * Creates the beans of all interfaces that {@link ImportRingKernelExchanges} has
	 * registered, so that one that cannot work ends the start of the application and not
	 * its first call.
	 * @throws KernelDefinitionException if a method cannot call a kernel, or its kernel
	 * does not exist
	 * @since 0.2.0
	 */
	public void createImported() {
		this.beanFactory.getBeansOfType(ExchangeDeclaration.class)
			.values()
			.forEach((declaration) -> this.beanFactory.getBean(declaration.type().getName()));
	}

	/**
	 * Whether an interface, or a method of it, is annotated with
	 * {@link RingKernelExchange @RingKernelExchange}.
	 * @param type the type
	 * @return whether it can be made a client
	 * @since 0.2.0
	 */
	public static boolean isExchange(Class<?> type) {
		return type.isInterface() && (AnnotatedElementUtils.hasAnnotation(type, RingKernelExchange.class)
				|| Arrays.stream(type.getMethods())
					.anyMatch((method) -> AnnotatedElementUtils.hasAnnotation(method, RingKernelExchange.class)));
	}

	private ExchangeCall call(Class<?> type, Method method) {
		String where = "%s.%s".formatted(type.getName(), method.getName());
		ExchangeSettings settings = ExchangeSettings.of(type, method, where, this::resolve);
		ExchangeSignature signature = ExchangeSignature.of(type, method, where, settings.oneWay());
		checkKernel(settings.kernelId(), signature, where);
		return new ExchangeCall(where, settings, signature, client(settings.kernelId(), where));
	}

	private String resolve(String text) {
		String resolved = this.beanFactory.resolveEmbeddedValue(text);
		return (resolved != null) ? resolved : "";
	}

	/**
	 * Checks the records by the definition of the kernel's bean. A client of the
	 * application's own may be of a kernel that is no bean.
	 */
	private void checkKernel(String kernelId, ExchangeSignature signature, String where) {
		String kernel = kernelId + KERNEL_SUFFIX;
		if (this.beanFactory.containsBeanDefinition(kernel)) {
			ResolvableType type = this.beanFactory.getMergedBeanDefinition(kernel).getResolvableType().as(Kernel.class);
			check("takes", type.getGeneric(0).resolve(), signature.request(), kernelId, where);
			check("answers with", type.getGeneric(1).resolve(), signature.response(), kernelId, where);
		}
	}

	private static void check(String verb, @Nullable Class<?> kernels, @Nullable Class<?> methods, String kernelId,
			String where) {
		if (kernels != null && methods != null && kernels != methods) {
			throw new InvalidExchangeException(where, "has the record %s where the kernel '%s' %s the record %s."
				.formatted(methods.getName(), kernelId, verb, kernels.getName()),
					"Use the kernel's record, or name another kernel.");
		}
	}

	@SuppressWarnings("unchecked")
	private RingKernelClient<Record, Record> client(String kernelId, String where) {
		try {
			return BeanFactoryAnnotationUtils.qualifiedBeanOfType(this.beanFactory, RingKernelClient.class, kernelId);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new UnknownKernelIdException("", kernelId,
					"is the ring kernel that %s calls, and it does not exist.".formatted(where), kernelIds());
		}
	}

	private List<String> kernelIds() {
		return Arrays.stream(this.beanFactory.getBeanNamesForType(Kernel.class, true, false))
			.map((name) -> name.endsWith(KERNEL_SUFFIX) ? name.substring(0, name.length() - KERNEL_SUFFIX.length())
					: name)
			.toList();
	}

}
