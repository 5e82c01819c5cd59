package io.ringkernel.models.autoconfigure;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.ringkernel.backend.Replay;
import io.ringkernel.models.Model;
import io.ringkernel.models.Rows;
import io.ringkernel.models.Scores;
import io.ringkernel.models.TreeEnsemble;
import io.ringkernel.models.kernel.TreeEnsembleHandler;
import io.ringkernel.spring.RingKernelRegistrar;

import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers each model of {@link RingKernelModelsProperties} by its name, and the handler
 * of its kernel. If kernels are functions, those of the model have the names of its
 * kernel's: a topic has rows, and requests of the kernel load models as well.
 */
class ModelsRegistrar implements ImportBeanDefinitionRegistrar {

	private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

	private final Environment environment;

	ModelsRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		Binder.get(this.environment)
			.bind(RingKernelModelsProperties.PREFIX, Bindable.mapOf(String.class, ModelProperties.class))
			.ifBound((models) -> models.keySet().forEach((name) -> register(name, registry)));
	}

	private void register(String name, BeanDefinitionRegistry registry) {
		if (!NAME.matcher(name).matches()) {
			throw new InvalidConfigurationPropertyValueException(RingKernelModelsProperties.PREFIX, name,
					"Name a model by lower-case letters, digits and single hyphens between them.");
		}
		String kernelId = RingKernelModelsAutoConfiguration.kernelId(name);
		registry.registerBeanDefinition(kernelId + ".model", definition(Model.class, "model", name));
		RootBeanDefinition handler = definition(TreeEnsembleHandler.class, "handler", name, kernelId + ".model");
		RingKernelRegistrar.declare(handler, kernelId, "", Replay.IDEMPOTENT);
		registry.registerBeanDefinition(kernelId + ".handler", handler);
		registry.registerBeanDefinition(name,
				definition(TreeEnsemble.class, "ensemble", name, kernelId + ".model", kernelId + ".kernel"));
		if (Binder.get(this.environment).bind("ringkernel.functions", Boolean.class).orElse(false)) {
			ResolvableType rows = ResolvableType.forClass(Rows.class);
			ResolvableType scores = ResolvableType.forClass(Scores.class);
			registry.registerBeanDefinition(kernelId + "-function", function("single", name, rows, scores));
			registry.registerBeanDefinition(kernelId + "-batch-function",
					function("batch", name, listOf(rows), listOf(scores)));
		}
	}

	private static RootBeanDefinition function(String factoryMethod, String ensemble, ResolvableType argument,
			ResolvableType result) {
		RootBeanDefinition definition = new RootBeanDefinition(ModelFunctions.class);
		definition.setFactoryMethodName(factoryMethod);
		definition.setTargetType(ResolvableType.forClassWithGenerics(Function.class, argument, result));
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, new RuntimeBeanReference(ensemble));
		return definition;
	}

	private static ResolvableType listOf(ResolvableType element) {
		return ResolvableType.forClassWithGenerics(List.class, element);
	}

	private static RootBeanDefinition definition(Class<?> type, String factoryMethod, String name, String... beans) {
		RootBeanDefinition definition = new RootBeanDefinition(ModelFactory.class);
		definition.setFactoryMethodName(factoryMethod);
		definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition.setTargetType(type);
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		for (int i = 0; i < beans.length; i++) {
			definition.getConstructorArgumentValues()
				.addIndexedArgumentValue(i + 1, new RuntimeBeanReference(beans[i]));
		}
		return definition;
	}

}
