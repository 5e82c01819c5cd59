package io.ringkernel.models.autoconfigure;

import io.ringkernel.models.TreeEnsemble;
import io.ringkernel.spring.KernelDefaults;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link TreeEnsemble}: a bean for
 * each model of {@code ringkernel.models}, and a kernel for each, whose id is
 * {@code model-} and the name of the model.
 *
 * @since 0.2.0
 */
@AutoConfiguration
@EnableConfigurationProperties(RingKernelModelsProperties.class)
public final class RingKernelModelsAutoConfiguration {

	private static final String KERNEL_ID = "model-";

	RingKernelModelsAutoConfiguration() {
	}

	/** The id of the kernel of a model. */
	static String kernelId(String model) {
		return KERNEL_ID + model;
	}

	/**
	 * Without ring kernels there are no ensembles, and the properties are allowed all the
	 * same.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "ringkernel.enabled", matchIfMissing = true)
	@Import(ModelsRegistrar.class)
	static class EnsemblesConfiguration {

		/** A thread for two of a thousand trees. */
		private static final int THREADS_PER_WORKER = 512;

		/** Slots have room for a batch, and there should be as many as workers. */
		private static final long RING_MEMORY = 24 << 20;

		@Bean
		KernelDefaults modelDefaults(RingKernelModelsProperties models) {
			return (kernelId, defaults) -> models.keySet().stream().anyMatch((name) -> kernelId(name).equals(kernelId))
					? defaults.toBuilder().threadsPerWorker(THREADS_PER_WORKER).ringMemory(RING_MEMORY).build()
					: defaults;
		}

	}

}
