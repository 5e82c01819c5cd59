package io.ringkernel.spring.exchange;

import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.ResourceLoaderAware;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * Registers what {@link ImportRingKernelExchanges} asks for. A bean is named by its
 * interface; two imports of one interface make one bean.
 */
class RingKernelExchangeRegistrar implements ImportBeanDefinitionRegistrar, EnvironmentAware, ResourceLoaderAware {

	private final ClassPathScanningCandidateComponentProvider scanner = new InterfaceScanner();

	private @Nullable ClassLoader classLoader = ClassUtils.getDefaultClassLoader();

	@Override
	public void setEnvironment(Environment environment) {
		this.scanner.setEnvironment(environment);
	}

	@Override
	public void setResourceLoader(ResourceLoader resourceLoader) {
		this.scanner.setResourceLoader(resourceLoader);
		if (resourceLoader.getClassLoader() != null) {
			this.classLoader = resourceLoader.getClassLoader();
		}
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		MergedAnnotation<ImportRingKernelExchanges> annotation = importing.getAnnotations()
			.get(ImportRingKernelExchanges.class);
		Class<?>[] types = annotation.getClassArray("types");
		for (Class<?> type : types) {
			register(type, registry);
		}
		for (String basePackage : basePackages(annotation, importing, types.length == 0)) {
			for (BeanDefinition candidate : this.scanner.findCandidateComponents(basePackage)) {
				register(ClassUtils.resolveClassName(String.valueOf(candidate.getBeanClassName()), this.classLoader),
						registry);
			}
		}
	}

	private static Set<String> basePackages(MergedAnnotation<ImportRingKernelExchanges> annotation,
			AnnotationMetadata importing, boolean defaulted) {
		Set<String> packages = new LinkedHashSet<>(Set.of(annotation.getStringArray("basePackages")));
		for (Class<?> type : annotation.getClassArray("basePackageClasses")) {
			packages.add(type.getPackageName());
		}
		if (packages.isEmpty() && defaulted) {
			packages.add(ClassUtils.getPackageName(importing.getClassName()));
		}
		return packages;
	}

	private static void register(Class<?> type, BeanDefinitionRegistry registry) {
		if (!registry.containsBeanDefinition(type.getName())) {
			RootBeanDefinition definition = new RootBeanDefinition(ExchangeFactory.class);
			definition.setFactoryMethodName("create");
			definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
			definition.setTargetType(type);
			definition.getConstructorArgumentValues().addIndexedArgumentValue(0, type);
			definition.setLazyInit(true);
			registry.registerBeanDefinition(type.getName(), definition);
			RootBeanDefinition declaration = new RootBeanDefinition(ExchangeDeclaration.class);
			declaration.getConstructorArgumentValues().addIndexedArgumentValue(0, type);
			registry.registerBeanDefinition(type.getName() + ".declaration", declaration);
		}
	}

	/** Finds annotated interfaces. */
	private static final class InterfaceScanner extends ClassPathScanningCandidateComponentProvider {

		InterfaceScanner() {
			super(false);
			addIncludeFilter(new AnnotationTypeFilter(RingKernelExchange.class, false));
		}

		@Override
		protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
			return definition.getMetadata().isInterface() && definition.getMetadata().isIndependent();
		}

	}

}
