package io.ringkernel.spring.ai.autoconfigure;

import java.io.IOException;
import java.util.Objects;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.KernelDefaults;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.ai.embedding.RingKernelEmbeddingModel;
import io.ringkernel.spring.ai.embedding.kernel.EncoderHandler;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.kernel.EncoderResponse;
import io.ringkernel.spring.ai.embedding.model.EncoderFiles;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import io.ringkernel.spring.ai.embedding.tokenizer.TokenizerFiles;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.observation.EmbeddingModelObservationConvention;
import org.springframework.ai.model.SpringAIModelProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for
 * {@link RingKernelEmbeddingModel}, where the file of a model is configured: the model,
 * and the kernel {@value #KERNEL_ID} that encodes.
 *
 * @since 0.2.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ringkernel.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = SpringAIModelProperties.EMBEDDING_MODEL, havingValue = RingKernelEmbeddingModel.PROVIDER,
		matchIfMissing = true)
@ConditionalOnProperty(name = RingKernelEmbeddingProperties.PREFIX + ".location")
@ConditionalOnMissingBean(EmbeddingModel.class)
@EnableConfigurationProperties(RingKernelEmbeddingProperties.class)
public final class RingKernelEmbeddingAutoConfiguration {

	/** The id of the kernel that encodes. */
	public static final String KERNEL_ID = "embedding";

	private static final String THREADS_PER_WORKER = "ringkernel.kernels." + KERNEL_ID + ".threads-per-worker";

	RingKernelEmbeddingAutoConfiguration() {
	}

	@Bean
	EncoderWeights embeddingWeights(RingKernelEmbeddingProperties properties) {
		return EncoderFiles.read(file("location", properties.location(), "the file of the model"));
	}

	@Bean
	@RingKernel(id = KERNEL_ID, image = EncoderHandler.IMAGE, replay = Replay.IDEMPOTENT)
	EncoderHandler embeddingHandler(EncoderWeights embeddingWeights) {
		return new EncoderHandler(embeddingWeights);
	}

	@Bean
	KernelDefaults embeddingDefaults() {
		return (kernelId, defaults) -> kernelId.equals(KERNEL_ID)
				? defaults.toBuilder().workers(EncoderHandler.WORKERS).build() : defaults;
	}

	@Bean
	KernelOptionsCustomizer embeddingOptionsCustomizer(EncoderWeights embeddingWeights,
			RingKernelEmbeddingProperties properties, Environment environment) {
		checkThreads(environment);
		return (kernelId, options) -> kernelId.equals(KERNEL_ID)
				? RingKernelEmbeddingModel.options(options, embeddingWeights, maxTokens(embeddingWeights, properties))
				: options;
	}

	/** Those of all kernels may be others: they are not meant for this one. */
	private static void checkThreads(Environment environment) {
		int threads = Binder.get(environment)
			.bind(THREADS_PER_WORKER, Integer.class)
			.orElse(KernelOptions.THREADS_BY_MESSAGES);
		if (threads != KernelOptions.THREADS_BY_MESSAGES && threads != EncoderHandler.THREADS_PER_WORKER) {
			throw new InvalidConfigurationPropertyValueException(THREADS_PER_WORKER, threads,
					"The kernel is built for workers of %d threads. Remove the property."
						.formatted(EncoderHandler.THREADS_PER_WORKER));
		}
	}

	@Bean
	RingKernelEmbeddingModel embeddingModel(Kernel<EncoderRequest, EncoderResponse> kernel,
			EncoderWeights embeddingWeights, RingKernelEmbeddingProperties properties,
			ObjectProvider<ObservationRegistry> observationRegistry,
			ObjectProvider<EmbeddingModelObservationConvention> convention) {
		Resource tokenizer = file("tokenizer", properties.tokenizer(),
				"the tokenizer.json, or the vocabulary, of the model");
		RingKernelEmbeddingModel model = new RingKernelEmbeddingModel(kernel, embeddingWeights,
				TokenizerFiles.read(tokenizer), maxTokens(embeddingWeights, properties),
				EncoderName.of(Objects.requireNonNull(properties.location()), embeddingWeights),
				observationRegistry.getIfUnique(() -> ObservationRegistry.NOOP));
		convention.ifAvailable(model::setObservationConvention);
		return model;
	}

	private static Resource file(String property, @Nullable Resource file, String expected) {
		if (file == null || isDirectory(file)) {
			throw new InvalidConfigurationPropertyValueException(RingKernelEmbeddingProperties.PREFIX + "." + property,
					file, "%sSet it to %s.".formatted((file != null) ? "It is a directory. " : "", expected));
		}
		return file;
	}

	private static boolean isDirectory(Resource file) {
		try {
			return file.isFile() && file.getFile().isDirectory();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int maxTokens(EncoderWeights weights, RingKernelEmbeddingProperties properties) {
		int most = RingKernelEmbeddingModel.maxTokens(weights);
		if (properties.maxTokens() < 2 || properties.maxTokens() > most) {
			throw new InvalidConfigurationPropertyValueException(RingKernelEmbeddingProperties.PREFIX + ".max-tokens",
					properties.maxTokens(), "Set it to a value from 2 to %d.".formatted(most));
		}
		return properties.maxTokens();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	static class MetricsConfiguration {

		@Bean
		MeterBinder embeddingMetrics(RingKernelEmbeddingModel model) {
			return (registry) -> FunctionCounter
				.builder("ringkernel.embedding.truncated", model, RingKernelEmbeddingModel::truncatedTexts)
				.description("Texts that had more tokens than the embedding model takes")
				.register(registry);
		}

	}

}
