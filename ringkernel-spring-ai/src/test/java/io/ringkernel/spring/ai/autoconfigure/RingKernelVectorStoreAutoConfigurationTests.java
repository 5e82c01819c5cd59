package io.ringkernel.spring.ai.autoconfigure;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.ringkernel.KernelState;
import io.ringkernel.backend.Replay;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.HashEmbeddingModel;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.VectorSearchHandler;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import io.ringkernel.spring.ai.storage.StorageException;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.BatchingStrategy;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.TokenCountBatchingStrategy;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.ai.vectorstore.observation.DefaultVectorStoreObservationConvention;
import org.springframework.ai.vectorstore.observation.VectorStoreObservationConvention;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RingKernelVectorStoreAutoConfiguration}.
 */
class RingKernelVectorStoreAutoConfigurationTests {

	/** Batches by tokens would load their vocabulary for each context. */
	private static final String BY_NUMBER = "spring.ai.vectorstore.ringkernel.batch-size=100";

	private static final String INDEX = RingKernelVectorStoreProperties.PREFIX + ".index";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelVectorStoreAutoConfiguration.class))
		.withBean(EmbeddingModel.class, () -> new HashEmbeddingModel(16))
		.withPropertyValues("ringkernel.backend=cpu", "ringkernel.defaults.workers=2", BY_NUMBER);

	@Test
	void isRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(RingKernelVectorStoreAutoConfiguration.class.getName());
	}

	@Test
	void storesAndFindsDocuments() {
		this.contextRunner.run((context) -> {
			assertThat(
					context.getBean(RingKernelVectorStoreAutoConfiguration.KERNEL_ID + ".kernel", Kernel.class).state())
				.isEqualTo(KernelState.ACTIVE);
			VectorStore store = context.getBean(VectorStore.class);
			store.add(List.of(new Document("a", "some text", Map.of())));
			assertThat(store.similaritySearch("some text")).singleElement().extracting(Document::getId).isEqualTo("a");
		});
	}

	@Test
	void keepsDocumentsInTheDirectory(@TempDir Path directory) {
		ApplicationContextRunner stored = this.contextRunner
			.withPropertyValues(RingKernelVectorStoreProperties.PREFIX + ".directory=" + directory);
		stored.run((context) -> context.getBean(VectorStore.class).add(List.of(new Document("a", "x", Map.of()))));
		stored.run((context) -> {
			assertThat(context.getBean(RingKernelVectorStore.class).isRunning()).isTrue();
			assertThat(context.getBean(RingKernelVectorStore.class).size()).isEqualTo(1);
		});
	}

	@Test
	void comparesAsConfigured() {
		this.contextRunner.withPropertyValues(RingKernelVectorStoreProperties.PREFIX + ".metric=dot-product")
			.run((context) -> {
				VectorStore store = context.getBean(VectorStore.class);
				store.add(List.of(new Document("twice", "x x", Map.of())));
				assertThat(store.similaritySearch("x")).singleElement()
					.satisfies((document) -> assertThat(document.getScore()).isGreaterThan(1.5));
			});
	}

	@Test
	void workersHaveTheThreadsOfTheImageUnlessConfigured() {
		this.contextRunner
			.run((context) -> assertThat(kernel(context).spec().options().threadsPerWorker()).isEqualTo(512));
		this.contextRunner.withPropertyValues("ringkernel.kernels.vector-search.threads-per-worker=64")
			.run((context) -> assertThat(kernel(context).spec().options().threadsPerWorker()).isEqualTo(64));
	}

	@Test
	void kernelHasItsImageAndTakesARequestTwiceWhicheverProcessUsesTheDevice() {
		for (String isolation : List.of("auto", "none", "process")) {
			this.contextRunner.withPropertyValues("ringkernel.isolation=" + isolation).run((context) -> {
				assertThat(kernel(context).spec().image()).isEqualTo(VectorSearchHandler.IMAGE);
				assertThat(kernel(context).spec().options().replay()).isEqualTo(Replay.IDEMPOTENT);
			});
		}
	}

	private static Kernel<?, ?> kernel(ApplicationContext context) {
		return context.getBean(RingKernelVectorStoreAutoConfiguration.KERNEL_ID + ".kernel", Kernel.class);
	}

	@Test
	void backsOff() {
		this.contextRunner.withBean(RingKernelVectorStore.class, () -> mock())
			.run((context) -> assertThat(context).hasSingleBean(VectorStore.class)
				.doesNotHaveBean(RingKernelVectorStoreAutoConfiguration.class));
		this.contextRunner.withPropertyValues("spring.ai.vectorstore.type=simple")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(VectorStore.class));
		this.contextRunner.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(VectorStore.class));
	}

	@Test
	void isThereIfItIsTheTypeThatIsAskedFor() {
		this.contextRunner.withPropertyValues("spring.ai.vectorstore.type=ringkernel")
			.run((context) -> assertThat(context).hasSingleBean(RingKernelVectorStore.class));
	}

	@Test
	void usesTheConventionOfTheApplication() {
		VectorStoreObservationConvention convention = new DefaultVectorStoreObservationConvention();
		this.contextRunner.withBean(VectorStoreObservationConvention.class, () -> convention)
			.run((context) -> assertThat(context.getBean(RingKernelVectorStore.class))
				.hasFieldOrPropertyWithValue("customObservationConvention", convention));
	}

	@Test
	void embedsAsManyDocumentsAtOnceAsConfigured() {
		this.contextRunner.withPropertyValues(RingKernelVectorStoreProperties.PREFIX + ".batch-size=2")
			.run((context) -> {
				BatchingStrategy batches = context.getBean(BatchingStrategy.class);
				List<Document> documents = Stream.of("a", "b", "c", "d", "e").map(Document::new).toList();
				assertThat(batches.batch(documents)).containsExactly(documents.subList(0, 2), documents.subList(2, 4),
						documents.subList(4, 5));
				assertThat(batches.batch(List.of())).isEmpty();
			});
		this.contextRunner.withPropertyValues("spring.ai.vectorstore.ringkernel.batch-size=0")
			.run((context) -> assertThat(context.getBean(BatchingStrategy.class))
				.isInstanceOf(TokenCountBatchingStrategy.class));
	}

	@ParameterizedTest
	@CsvSource({ "dimensions, 16385", "initial-capacity, -1", "initial-capacity, 134217729", "batch-size, -1" })
	void refusesWhatIsOutOfRange(String property, String value) {
		this.contextRunner
			.withPropertyValues("%s.%s=%s".formatted(RingKernelVectorStoreProperties.PREFIX, property, value))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(RingKernelVectorStoreProperties.PREFIX + "." + property)
				.hasMessageContaining(value));
	}

	@ParameterizedTest
	@EnumSource
	void storeKeepsVectorsAsTheStorageSays(ElementType storage) {
		this.contextRunner
			.withPropertyValues(
					RingKernelVectorStoreProperties.PREFIX + ".storage=" + storage.name().toLowerCase(Locale.ROOT))
			.run((context) -> {
				RingKernelVectorStore store = context.getBean(RingKernelVectorStore.class);
				assertThat(store.status().elementType()).isEqualTo(storage);
				assertThat(store.kernel().spec().image()).isEqualTo(VectorSearchHandler.IMAGE);
				store.add(List.of(new Document("some text"), new Document("more text")));
				assertThat(store.similaritySearch("some text")).first().returns("some text", Document::getText);
			});
	}

	@ParameterizedTest
	@CsvSource({ "float-16, FLOAT16", "FLOAT_16, FLOAT16", "Float16, FLOAT16", "int-8, INT8", "int_8, INT8",
			"float-32, FLOAT32" })
	void storageMayBeSpelledInAnyWay(String spelling, ElementType storage) {
		this.contextRunner.withPropertyValues(RingKernelVectorStoreProperties.PREFIX + ".storage=" + spelling)
			.run((context) -> {
				assertThat(context.getBean(RingKernelVectorStore.class).status().elementType()).isEqualTo(storage);
				assertThat(kernel(context).spec().image()).isEqualTo(VectorSearchHandler.IMAGE);
			});
	}

	@Test
	void refusesAStorageThatThereIsNot() {
		this.contextRunner.withPropertyValues(RingKernelVectorStoreProperties.PREFIX + ".storage=float8")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(ElementType.class.getName() + ".float8"));
	}

	@Test
	void everySearchIsExactUnlessAGraphIsAskedFor() {
		this.contextRunner
			.run((context) -> assertThat(context.getBean(RingKernelVectorStore.class).status().graph()).isNull());
		this.contextRunner.withPropertyValues(INDEX + "=graph").run((context) -> {
			VectorStore store = context.getBean(VectorStore.class);
			store.add(List.of(new Document("some text"), new Document("more text")));
			assertThat(store.similaritySearch("some text")).first().returns("some text", Document::getText);
			assertThat(context.getBean(RingKernelVectorStore.class).status().graph()).isNotNull();
		});
	}

	@Test
	void needsNoGraphLibraryUnlessAGraphIsAskedFor() {
		ApplicationContextRunner without = this.contextRunner
			.withClassLoader(new FilteredClassLoader("io.github.jbellis"));
		without.run((context) -> assertThat(context).hasSingleBean(RingKernelVectorStore.class));
		without.withPropertyValues(INDEX + "=graph").run((context) -> {
			assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining(INDEX)
				.hasMessageContaining("Add the dependency io.github.jbellis:jvector");
		});
	}

	@Test
	void refusesAnIndexThatThereIsNot() {
		this.contextRunner.withPropertyValues(INDEX + "=tree")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(IndexKind.class.getName() + ".tree"));
	}

	@Test
	void refusesReplicas() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.vector-search.replicas=2")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("'vector-search' has 2 replicas")
				.hasMessageContaining("ringkernel.kernels.vector-search.replicas to 1"));
	}

	@Test
	void saysThatTheModelIsAnotherOne(@TempDir Path directory) {
		DocumentStorage.open(directory, 8, "").close();
		this.contextRunner.withPropertyValues(RingKernelVectorStoreProperties.PREFIX + ".directory=" + directory)
			.run((context) -> {
				assertThat(context).getFailure().rootCause().isInstanceOf(StorageException.class);
				FailureAnalysis analysis = new StorageFailureAnalyzer().analyze(context.getStartupFailure());
				assertThat(analysis.getDescription())
					.contains("vectors of 8 dimensions, but the embedding model makes 16");
				assertThat(analysis.getAction()).contains("Use the model that the documents were embedded with");
			});
	}

}
