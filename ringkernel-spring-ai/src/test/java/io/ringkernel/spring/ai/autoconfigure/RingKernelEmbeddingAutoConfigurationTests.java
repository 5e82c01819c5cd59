package io.ringkernel.spring.ai.autoconfigure;

import java.nio.file.Path;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.embedding.MiniLm;
import io.ringkernel.spring.ai.embedding.RingKernelEmbeddingModel;
import io.ringkernel.spring.ai.embedding.kernel.EncoderHandler;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.BatchingStrategy;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RingKernelEmbeddingAutoConfiguration}.
 */
class RingKernelEmbeddingAutoConfigurationTests {

	private static final String PREFIX = RingKernelEmbeddingProperties.PREFIX;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelEmbeddingAutoConfiguration.class))
		.withPropertyValues("ringkernel.backend=cpu", PREFIX + ".location=classpath:" + MiniLm.MODEL,
				PREFIX + ".tokenizer=classpath:" + MiniLm.TOKENIZER, PREFIX + ".max-tokens=32");

	@Test
	void embedsTextsByAKernel() {
		this.contextRunner.withBean(TestObservationRegistry.class, TestObservationRegistry::create).run((context) -> {
			EmbeddingModel model = context.getBean(EmbeddingModel.class);
			EmbeddingResponse response = model.call(new EmbeddingRequest(
					List.of("A dog runs.", "The puppy is running.", "Stock prices fell.", ""), null));
			float[] dog = response.getResults().get(0).getOutput();
			assertThat(model.dimensions()).isEqualTo(384);
			assertThat(product(dog, dog)).isCloseTo(1, within(1e-4f));
			assertThat(product(dog, response.getResults().get(1).getOutput()))
				.isGreaterThan(product(dog, response.getResults().get(2).getOutput()) + 0.3f);
			assertThat(response.getMetadata().getModel()).matches("all-minilm-l6-v2-q-[0-9a-f]{8}");
			assertThat(response.getMetadata().getUsage().getPromptTokens()).isEqualTo(6 + 7 + 6 + 2);
			KernelOptions options = context.getBean(Kernel.class).spec().options();
			assertThat(options.threadsPerWorker()).isEqualTo(EncoderHandler.THREADS_PER_WORKER);
			assertThat(options.stateMemory()).isGreaterThan(45_000_000);
			TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
				.hasObservationWithNameEqualTo("gen_ai.client.operation");
		});
	}

	@Test
	void hasTheWorkersOfItsImageUnlessConfigured() {
		this.contextRunner.run((context) -> assertThat(workers(context)).isEqualTo(EncoderHandler.WORKERS));
		this.contextRunner.withPropertyValues("ringkernel.kernels.embedding.workers=32")
			.run((context) -> assertThat(workers(context)).isEqualTo(32));
	}

	private static int workers(ApplicationContext context) {
		return options(context).workers();
	}

	private static KernelOptions options(ApplicationContext context) {
		return context.getBean(RingKernelEmbeddingAutoConfiguration.KERNEL_ID + ".kernel", Kernel.class)
			.spec()
			.options();
	}

	@Test
	void refusesThreadsThatItsImageIsNotFor() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.embedding.threads-per-worker=256")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("ringkernel.kernels.embedding.threads-per-worker")
				.hasMessageContaining("256")
				.hasMessageContaining("512 threads"));
	}

	@Test
	void hasMoreStateIfConfiguredAndNotTheThreadsOfAllKernels() {
		this.contextRunner
			.withPropertyValues("ringkernel.kernels.embedding.state-memory=1GB",
					"ringkernel.defaults.threads-per-worker=256")
			.run((context) -> {
				assertThat(options(context).stateMemory()).isEqualTo(1 << 30);
				assertThat(options(context).threadsPerWorker()).isEqualTo(EncoderHandler.THREADS_PER_WORKER);
			});
	}

	@Test
	void countsTextsThatItCutsOff() {
		this.contextRunner.run((context) -> {
			RingKernelEmbeddingModel model = context.getBean(RingKernelEmbeddingModel.class);
			float[] cut = model.embed("word ".repeat(20_000));
			assertThat(cut).isEqualTo(model.embed("word ".repeat(30)));
			assertThat(model.truncatedTexts()).isEqualTo(1);
			MeterRegistry registry = new SimpleMeterRegistry();
			context.getBean("embeddingMetrics", MeterBinder.class).bindTo(registry);
			assertThat(registry.get("ringkernel.embedding.truncated").functionCounter().count()).isEqualTo(1);
		});
	}

	@Test
	void aVectorStoreCountsNoTokensForIt() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(RingKernelVectorStoreAutoConfiguration.class))
			.run((context) -> {
				List<Document> documents = List.of(new Document("one"), new Document("word ".repeat(20_000)));
				assertThat(context.getBean(BatchingStrategy.class).batch(documents)).containsExactly(documents);
			});
	}

	@Test
	void leavesTheModelOfTheApplication() {
		this.contextRunner.withBean(EmbeddingModel.class, () -> mock(EmbeddingModel.class))
			.run((context) -> assertThat(context).doesNotHaveBean(RingKernelEmbeddingModel.class));
	}

	@Test
	void leavesTheModelToAnotherProvider() {
		this.contextRunner.withPropertyValues("spring.ai.model.embedding=ollama")
			.run((context) -> assertThat(context).doesNotHaveBean(EmbeddingModel.class));
	}

	@Test
	void isNotThereWithoutAFile() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
					RingKernelEmbeddingAutoConfiguration.class))
			.withPropertyValues("ringkernel.backend=cpu")
			.run((context) -> assertThat(context).doesNotHaveBean(EmbeddingModel.class));
	}

	@Test
	void refusesMoreTokensThanTheModelHasPositions() {
		this.contextRunner.withPropertyValues(PREFIX + ".max-tokens=513")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(PREFIX + ".max-tokens")
				.hasMessageContaining("from 2 to 512"));
	}

	@Test
	void refusesAFileThatIsNoModel() {
		this.contextRunner.withPropertyValues(PREFIX + ".location=classpath:" + MiniLm.TOKENIZER)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(MiniLm.TOKENIZER));
	}

	@ParameterizedTest
	@ValueSource(strings = { "location", "tokenizer" })
	void refusesABlankFile(String property) {
		this.contextRunner.withPropertyValues(PREFIX + "." + property + "=")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining(PREFIX + "." + property)
				.hasMessageContaining("Set it to "));
	}

	@ParameterizedTest
	@ValueSource(strings = { "location", "tokenizer" })
	void refusesADirectory(String property, @TempDir Path directory) {
		this.contextRunner.withPropertyValues(PREFIX + "." + property + "=" + directory.toUri())
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining(PREFIX + "." + property)
				.hasMessageContaining(directory.toString())
				.hasMessageContaining("It is a directory."));
	}

	private static float product(float[] one, float[] other) {
		float sum = 0;
		for (int i = 0; i < one.length; i++) {
			sum += one[i] * other[i];
		}
		return sum;
	}

}
