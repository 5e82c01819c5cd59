package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.backend.Replay;
import io.ringkernel.spring.RingKernelRegistrar;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.search.VectorSearchHandler;

import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers each store of {@link RingKernelVectorStoreProperties#stores()} by its name,
 * and the handler of its kernel.
 */
class NamedVectorStoresRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	NamedVectorStoresRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		RingKernelVectorStoreProperties properties = OnStoresCondition.properties(this.environment);
		properties.stores().keySet().forEach((name) -> {
			String kernelId = RingKernelVectorStoreAutoConfiguration.kernelId(name);
			RootBeanDefinition handler = new RootBeanDefinition(VectorSearchHandler.class);
			RingKernelRegistrar.declare(handler, kernelId, VectorSearchHandler.IMAGE, Replay.IDEMPOTENT);
			registry.registerBeanDefinition(kernelId + ".handler", handler);
			registry.registerBeanDefinition(name, store(name, kernelId));
		});
	}

	private static RootBeanDefinition store(String name, String kernelId) {
		RootBeanDefinition definition = new RootBeanDefinition(VectorStoreFactory.class);
		definition.setFactoryMethodName("named");
		definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition.setTargetType(RingKernelVectorStore.class);
		ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
		arguments.addIndexedArgumentValue(0, name);
		arguments.addIndexedArgumentValue(1, new RuntimeBeanReference(kernelId + ".kernel"));
		return definition;
	}

}
