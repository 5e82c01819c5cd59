package io.ringkernel.spring.ai.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringkernel.backend.Replay;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.HashEmbeddingModel;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.RingKernelVectorStoreMetrics;
import io.ringkernel.spring.ai.VectorStoreStatus;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchHandler;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link NamedVectorStoresRegistrar}: several stores by properties.
 */
class NamedVectorStoresTests {

	private static final String STORES = RingKernelVectorStoreProperties.PREFIX + ".stores.";

	/** Batches by tokens would load their vocabulary for each context. */
	private static final String BY_NUMBER = "spring.ai.vectorstore.ringkernel.batch-size=100";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
				RingKernelVectorStoreAutoConfiguration.class, VectorStoreEndpointAutoConfiguration.class,
				VectorStoreMetricsAutoConfiguration.class, VectorStoreHealthContributorAutoConfiguration.class))
		.withBean("embeddingModel", EmbeddingModel.class, () -> new HashEmbeddingModel(16))
		.withPropertyValues("ringkernel.backend=cpu", "ringkernel.defaults.workers=2", BY_NUMBER,
				"management.endpoints.web.exposure.include=vectorstore", STORES + "news.metric=dot-product",
				STORES + "old-mails.storage=int8");

	record Reader(VectorStore news, @Qualifier("old-mails") VectorStore mails) {
	}

	@Test
	void eachIsABeanByItsName() {
		this.contextRunner.withBean(Reader.class).run((context) -> {
			assertThat(context.getBeansOfType(VectorStore.class)).containsOnlyKeys("news", "old-mails");
			Reader reader = context.getBean(Reader.class);
			reader.news().add(List.of(new Document("a", "some text", Map.of())));
			assertThat(reader.news().similaritySearch("some text")).extracting(Document::getId).containsExactly("a");
			assertThat(reader.mails().similaritySearch("some text")).isEmpty();
		});
	}

	@Test
	void eachHasAKernelOfItsOwnWithItsImage() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.vector-search-news.workers=1").run((context) -> {
			assertThat(context.getBeansOfType(Kernel.class)).containsOnlyKeys("vector-search-news.kernel",
					"vector-search-old-mails.kernel");
			RingKernelVectorStore news = context.getBean("news", RingKernelVectorStore.class);
			assertThat(news.kernel().id()).isEqualTo("vector-search-news");
			assertThat(news.kernel().spec().image()).isEqualTo(VectorSearchHandler.IMAGE);
			assertThat(news.kernel().spec().options().workers()).isEqualTo(1);
			assertThat(news.kernel().spec().options().threadsPerWorker()).isEqualTo(512);
			assertThat(context.getBean("old-mails", RingKernelVectorStore.class).kernel().spec().image())
				.isEqualTo(VectorSearchHandler.IMAGE);
		});
		this.contextRunner.withPropertyValues("ringkernel.isolation=process")
			.run((context) -> assertThat(context.getBean("news", RingKernelVectorStore.class).kernel().spec())
				.satisfies((spec) -> {
					assertThat(spec.image()).isEqualTo(VectorSearchHandler.IMAGE);
					assertThat(spec.options().replay()).isEqualTo(Replay.IDEMPOTENT);
				}));
	}

	@Test
	void whatAStoreLeavesOutIsAsForAllStores() {
		this.contextRunner
			.withPropertyValues(RingKernelVectorStoreProperties.PREFIX + ".metric=euclidean",
					RingKernelVectorStoreProperties.PREFIX + ".storage=float16")
			.run((context) -> {
				VectorStoreStatus news = context.getBean("news", RingKernelVectorStore.class).status();
				assertThat(news.metric()).isEqualTo(SimilarityMetric.DOT_PRODUCT);
				assertThat(news.elementType()).isEqualTo(ElementType.FLOAT16);
				VectorStoreStatus mails = context.getBean("old-mails", RingKernelVectorStore.class).status();
				assertThat(mails.metric()).isEqualTo(SimilarityMetric.EUCLIDEAN);
				assertThat(mails.elementType()).isEqualTo(ElementType.INT8);
			});
	}

	@Test
	void eachHasADirectoryOfItsOwn(@TempDir Path shared, @TempDir Path own) {
		ApplicationContextRunner stored = this.contextRunner.withPropertyValues(
				RingKernelVectorStoreProperties.PREFIX + ".directory=" + shared, STORES + "old-mails.directory=" + own);
		stored.run((context) -> {
			context.getBean("news", VectorStore.class).add(List.of(new Document("a", "x", Map.of())));
			context.getBean("old-mails", VectorStore.class)
				.add(List.of(new Document("b", "x", Map.of()), new Document("c", "x", Map.of())));
		});
		assertThat(shared.resolve("news").resolve("documents.mv")).exists();
		assertThat(own.resolve("documents.mv")).exists();
		stored.run((context) -> {
			assertThat(context.getBean("news", RingKernelVectorStore.class).size()).isEqualTo(1);
			assertThat(context.getBean("old-mails", RingKernelVectorStore.class).size()).isEqualTo(2);
		});
	}

	@Test
	void storesOfTheDocumentationAreThere(@TempDir Path shared) {
		this.contextRunner.withBean("mailModel", EmbeddingModel.class, () -> new HashEmbeddingModel(24))
			.withInitializer(new ConfigDataApplicationContextInitializer())
			.withPropertyValues("spring.config.location=classpath:stores.yml",
					RingKernelVectorStoreProperties.PREFIX + ".directory=" + shared,
					STORES + "news.embedding-model=embeddingModel")
			.run((context) -> {
				assertThat(context.getBean("old-mails", RingKernelVectorStore.class).status().dimensions())
					.isEqualTo(24);
				assertThat(shared.resolve("old-mails")).isDirectory();
			});
	}

	@Test
	void eachMayHaveAModelOfItsOwn() {
		this.contextRunner.withBean("otherModel", EmbeddingModel.class, () -> new HashEmbeddingModel(24))
			.withPropertyValues(STORES + "news.embedding-model=otherModel",
					STORES + "old-mails.embedding-model=embeddingModel")
			.run((context) -> {
				assertThat(context.getBean("news", RingKernelVectorStore.class).status().dimensions()).isEqualTo(24);
				assertThat(context.getBean("old-mails", RingKernelVectorStore.class).status().dimensions())
					.isEqualTo(16);
			});
	}

	@Test
	void operationsShowEachByItsName() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(VectorStoreEndpoint.class).stores()).containsOnlyKeys("news", "old-mails");
			assertThat(context.getBean("vectorStoreHealthContributor", CompositeHealthContributor.class).stream())
				.extracting(HealthContributors.Entry::name)
				.containsExactlyInAnyOrder("news", "old-mails");
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(RingKernelVectorStoreMetrics.class).bindTo(registry);
			assertThat(registry.find("ringkernel.vectorstore.documents").tag("store", "old-mails").gauge()).isNotNull();
		});
	}

	@ParameterizedTest
	@CsvSource({ "news.dimensions, 16385", "news.initial-capacity, -1" })
	void refusesWhatIsOutOfRange(String property, String value) {
		this.contextRunner.withPropertyValues(STORES + property + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(STORES + property)
				.hasMessageContaining(value));
	}

	@Test
	void aBlankStoreIsAsAllStores(@TempDir Path directory) throws IOException {
		Path yaml = Files.writeString(directory.resolve("application.yml"), """
				spring.ai.vectorstore.ringkernel:
				  storage: int8
				  stores:
				    drafts:
				    sent: ""
				""");
		this.contextRunner.withInitializer(new ConfigDataApplicationContextInitializer())
			.withPropertyValues("spring.config.location=" + yaml.toUri())
			.run((context) -> {
				assertThat(context.getBean("drafts", RingKernelVectorStore.class).status().elementType())
					.isEqualTo(ElementType.INT8);
				assertThat(context.getBean("sent", RingKernelVectorStore.class).status().elementType())
					.isEqualTo(ElementType.INT8);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { STORES + "news.index", RingKernelVectorStoreProperties.PREFIX + ".index" })
	void refusesAGraphWithoutItsLibrary(String property) {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.github.jbellis"))
			.withPropertyValues(property + "=graph")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("Property " + property + " with value 'GRAPH'"));
	}

	@Test
	void refusesANameThatCannotEndTheIdOfAKernel() {
		this.contextRunner.withPropertyValues(STORES + "oldMails.metric=cosine")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("oldMails")
				.hasMessageContaining("lower-case letters"));
	}

	@Test
	void backOffBesideAStoreOfTheApplication() {
		this.contextRunner.withBean("mine", RingKernelVectorStore.class, () -> mock())
			.run((context) -> assertThat(context.getBeansOfType(VectorStore.class)).containsOnlyKeys("mine"));
	}

}
