package io.ringkernel.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.Replay;
import io.ringkernel.runtime.Kernel;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.MethodMetadata;

/**
 * Registers the beans of each kernel: a {@link Kernel} named {@code <id>.kernel}, and its
 * {@link RingKernelClient} named by the id itself, or {@code <id>.client} where another
 * bean has that name. The id is a qualifier of both.
 * <p>
 * Kernels are found among the bean definitions; nothing is scanned and no handler is
 * created. Ahead-of-time processing writes down what this class has registered, so it
 * takes no part at run time.
 *
 * @since 0.1.0
 */
public class RingKernelRegistrar implements BeanFactoryPostProcessor, BeanRegistrationAotProcessor, Ordered {

	private static final String DECLARATION = RingKernel.class.getName();

	private final boolean enabled;

	private final boolean functions;

	private final BinaryOperator<String> images;

	/** Creates the registrar. */
	public RingKernelRegistrar() {
		this(true, false, (kernelId, declared) -> declared);
	}

	/**
	 * Creates a registrar of an application.
	 * @param enabled whether kernels are run. If not, it registers no {@link Kernel}, and
	 * clients that fail at every call with a {@link RingKernelsDisabledException}, so
	 * that the beans that need one can be created
	 * @param functions whether it registers functions as well: a {@code Function<I, O>}
	 * named {@code <id>-function}, and a {@code Function<List<I>, List<O>>} named
	 * {@code <id>-batch-function}. A bean that has the name already takes its place
	 * @param images tells the images of kernels to ahead-of-time processing, so that a
	 * native image contains them: from the id of a kernel, and the location that is
	 * declared or an empty string, to the location that holds or an empty string.
	 * {@link KernelSettings#imageOf} answers the same at run time, but is no bean ahead
	 * of time
	 * @since 0.2.0
	 */
	public RingKernelRegistrar(boolean enabled, boolean functions, BinaryOperator<String> images) {
		this.enabled = enabled;
		this.functions = functions;
		this.images = images;
	}

	/**
	 * Declares that a handler is a kernel, as the annotation {@link RingKernel} does. For
	 * bean definitions that are registered by code, whose ids are not known before.
	 * @param handler the definition of the handler
	 * @param id the id of the kernel
	 * @param image where its CUDA image is found, or an empty string
	 * @param replay what becomes of requests that may have been begun on a device that
	 * has ended by force
	 * @since 0.2.0
	 */
	public static void declare(BeanDefinition handler, String id, String image, Replay replay) {
		handler.setAttribute(DECLARATION,
				MergedAnnotation.of(RingKernel.class, Map.of("id", id, "image", image, "replay", replay)).synthesize());
	}

	@Override
	public int getOrder() {
		return 0;
	}

	/**
	 * Registers the beans of all kernels.
	 * @param beanFactory where the handlers are defined
	 * @throws KernelDefinitionException if two have one id, or one cannot be a kernel
	 */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Map<String, HandlerBean> handlers = new LinkedHashMap<>();
		for (String name : beanFactory.getBeanDefinitionNames()) {
			RingKernel annotation = findAnnotation(beanFactory, name);
			if (annotation != null) {
				HandlerBean handler = HandlerBean.of(beanFactory, name, annotation);
				HandlerBean other = handlers.putIfAbsent(handler.id(), handler);
				if (other != null) {
					throw new DuplicateKernelIdException(handler.id(), other.describe(), handler.describe());
				}
			}
		}
		handlers.values().forEach((handler) -> register(beanFactory, handler));
	}

	private static @Nullable RingKernel findAnnotation(ConfigurableListableBeanFactory beanFactory, String name) {
		BeanDefinition definition = beanFactory.getBeanDefinition(name);
		if (definition.isAbstract() || ScopedProxyUtils.isScopedTarget(name)) {
			return null;
		}
		if (definition.getAttribute(DECLARATION) instanceof RingKernel declared) {
			return declared;
		}
		if (definition instanceof AnnotatedBeanDefinition annotated) {
			MethodMetadata method = annotated.getFactoryMethodMetadata();
			if (method != null && method.isAnnotated(RingKernel.class.getName())) {
				return method.getAnnotations().get(RingKernel.class).synthesize();
			}
		}
		return beanFactory.findAnnotationOnBean(name, RingKernel.class, false);
	}

	private void register(ConfigurableListableBeanFactory beanFactory, HandlerBean handler) {
		BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beanFactory;
		String kernelName = KernelFactory.nameOf(handler.id());
		if (this.enabled) {
			registry.registerBeanDefinition(kernelName, kernel(handler));
		}
		String clientName = handler.id();
		boolean exists = beanFactory.containsBean(clientName);
		boolean provided = exists && beanFactory.isTypeMatch(clientName, RingKernelClient.class);
		if (!provided) {
			clientName = exists ? handler.id() + ".client" : handler.id();
			registry.registerBeanDefinition(clientName,
					this.enabled ? client(handler, kernelName) : disabledClient(handler));
		}
		if (this.functions) {
			ResolvableType request = ResolvableType.forClass(handler.request());
			ResolvableType response = ResolvableType.forClass(handler.response());
			registerFunction(beanFactory, handler.id() + "-function",
					function(handler, "single", clientName, request, response));
			registerFunction(beanFactory, handler.id() + "-batch-function",
					function(handler, "batch", clientName, listOf(request), listOf(response)));
		}
	}

	private static void registerFunction(ConfigurableListableBeanFactory beanFactory, String name,
			RootBeanDefinition definition) {
		if (!beanFactory.containsBean(name)) {
			((BeanDefinitionRegistry) beanFactory).registerBeanDefinition(name, definition);
		}
	}

	private static RootBeanDefinition function(HandlerBean handler, String factoryMethod, String clientName,
			ResolvableType argument, ResolvableType result) {
		RootBeanDefinition definition = new RootBeanDefinition(KernelFunctions.class);
		definition.setFactoryMethodName(factoryMethod);
		definition.setTargetType(ResolvableType.forClassWithGenerics(Function.class, argument, result));
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, new RuntimeBeanReference(clientName));
		describe(definition, handler);
		return definition;
	}

	private static ResolvableType listOf(ResolvableType element) {
		return ResolvableType.forClassWithGenerics(List.class, element);
	}

	private static RootBeanDefinition kernel(HandlerBean handler) {
		RootBeanDefinition definition = new RootBeanDefinition(KernelFactory.class);
		definition.setFactoryMethodName("create");
		definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition
			.setTargetType(ResolvableType.forClassWithGenerics(Kernel.class, handler.request(), handler.response()));
		ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
		arguments.addIndexedArgumentValue(KernelFactory.ID_INDEX, handler.id());
		arguments.addIndexedArgumentValue(KernelFactory.IMAGE_INDEX, handler.image());
		arguments.addIndexedArgumentValue(2, handler.describe());
		arguments.addIndexedArgumentValue(3, new RuntimeBeanReference(handler.name()));
		arguments.addIndexedArgumentValue(KernelFactory.REQUEST_INDEX, handler.request());
		arguments.addIndexedArgumentValue(KernelFactory.RESPONSE_INDEX, handler.response());
		arguments.addIndexedArgumentValue(KernelFactory.REPLAY_INDEX, handler.replay());
		describe(definition, handler);
		return definition;
	}

	private static RootBeanDefinition client(HandlerBean handler, String kernelName) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setFactoryBeanName(kernelName);
		definition.setFactoryMethodName("client");
		return client(handler, definition);
	}

	private static RootBeanDefinition disabledClient(HandlerBean handler) {
		RootBeanDefinition definition = new RootBeanDefinition(DisabledClient.class);
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, handler.id());
		return client(handler, definition);
	}

	private static RootBeanDefinition client(HandlerBean handler, RootBeanDefinition definition) {
		definition.setTargetType(
				ResolvableType.forClassWithGenerics(RingKernelClient.class, handler.request(), handler.response()));
		describe(definition, handler);
		return definition;
	}

	/** Says which kernel a bean belongs to, by a qualifier and for failure reports. */
	private static void describe(RootBeanDefinition definition, HandlerBean handler) {
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, handler.id()));
		definition.setPrimary(handler.primary());
		definition.setResourceDescription("the @RingKernel bean " + handler.describe());
	}

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		RootBeanDefinition definition = registeredBean.getMergedBeanDefinition();
		return isKernel(definition) ? KernelRuntimeHints.of(definition, this.images,
				registeredBean.getBeanFactory().getBean(Environment.class)) : null;
	}

	private static boolean isKernel(RootBeanDefinition definition) {
		return definition.hasBeanClass() && definition.getBeanClass() == KernelFactory.class;
	}

}
