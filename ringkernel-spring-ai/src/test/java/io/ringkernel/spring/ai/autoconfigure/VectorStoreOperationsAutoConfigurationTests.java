package io.ringkernel.spring.ai.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringkernel.spring.ai.HashEmbeddingModel;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.RingKernelVectorStoreMetrics;
import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.VectorStoreStatus;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.Operation;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.jmx.JmxEndpointsSupplier;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.spy;

/**
 * Tests for {@link VectorStoreEndpointAutoConfiguration},
 * {@link VectorStoreMetricsAutoConfiguration} and
 * {@link VectorStoreHealthContributorAutoConfiguration}.
 */
class VectorStoreOperationsAutoConfigurationTests {

	private static final String SNAPSHOT_DIRECTORY = "management.endpoint.vectorstore.snapshot-directory";

	private static final int DIMENSIONS = 16;

	private static final long BYTES = 2L * DIMENSIONS * Float.BYTES;

	/** Batches by tokens would load their vocabulary for each context. */
	private static final String BY_NUMBER = "spring.ai.vectorstore.ringkernel.batch-size=100";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
				RingKernelVectorStoreAutoConfiguration.class, VectorStoreEndpointAutoConfiguration.class,
				VectorStoreMetricsAutoConfiguration.class, VectorStoreHealthContributorAutoConfiguration.class))
		.withBean(EmbeddingModel.class, () -> new HashEmbeddingModel(DIMENSIONS))
		.withPropertyValues("ringkernel.backend=cpu", "ringkernel.defaults.workers=2", BY_NUMBER,
				"management.endpoints.web.exposure.include=vectorstore");

	private static void searchThreeTimes(VectorStore store) {
		store.add(List.of(new Document("a", "some text", Map.of()), new Document("b", "more text", Map.of())));
		for (int i = 0; i < 3; i++) {
			store.similaritySearch("text");
		}
	}

	@Test
	void endpointShowsWhatIsStoredAndWhatSearchesTake() {
		this.contextRunner.run((context) -> {
			searchThreeTimes(context.getBean(VectorStore.class));
			VectorStoreStatus status = context.getBean(VectorStoreEndpoint.class).stores().get("vectorStore");
			assertThat(status.documents()).isEqualTo(2);
			assertThat(status.dimensions()).isEqualTo(DIMENSIONS);
			assertThat(status.vectorBytes()).isEqualTo(BYTES);
			assertThat(status.searches()).isEqualTo(3);
			assertThat(status.comparedBytes()).isEqualTo(3 * BYTES);
			assertThat(status.recent().searches()).isEqualTo(3);
			assertThat(status.recent().meanMicros()).isPositive().isLessThanOrEqualTo(status.recent().maxMicros());
			assertThat(status.recent().bytesPerSecond()).isPositive();
		});
	}

	@Test
	void showsHowFarTheGraphHasCome() {
		this.contextRunner.withPropertyValues("spring.ai.vectorstore.ringkernel.index=graph").run((context) -> {
			searchThreeTimes(context.getBean(VectorStore.class));
			RingKernelVectorStore store = context.getBean(RingKernelVectorStore.class);
			await().atMost(Duration.ofMinutes(1))
				.until(() -> store.status().graph(), new VectorStoreStatus.Graph(2, 0)::equals);
			long compared = store.status().comparedBytes();
			store.similaritySearch("text");
			assertThat(context.getBean(VectorStoreEndpoint.class).store("vectorStore"))
				.returns(compared, VectorStoreStatus::comparedBytes)
				.returns(4L, VectorStoreStatus::searches);
			assertThat(new VectorStoreHealthIndicator(store).health().getDetails()).containsEntry("graph",
					new VectorStoreStatus.Graph(2, 0));
			MeterRegistry registry = new SimpleMeterRegistry();
			new RingKernelVectorStoreMetrics(Map.of("vectorStore", store)).bindTo(registry);
			assertThat(registry.get("ringkernel.vectorstore.waiting").gauge().value()).isZero();
		});
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(RingKernelVectorStore.class).status().graph()).isNull();
			assertThat(
					new VectorStoreHealthIndicator(context.getBean(RingKernelVectorStore.class)).health().getDetails())
				.doesNotContainKey("graph");
		});
	}

	@Test
	void endpointShowsAnEmptyStore() {
		this.contextRunner.run((context) -> assertThat(context.getBean(VectorStoreEndpoint.class).store("vectorStore"))
			.extracting(VectorStoreStatus::recent)
			.isEqualTo(new VectorStoreStatus.Recent(0, 0, 0, 0)));
	}

	@Test
	void endpointCopiesAStoreBelowTheDirectoryThatIsConfigured(@TempDir Path directory) {
		this.contextRunner.withPropertyValues(SNAPSHOT_DIRECTORY + "=" + directory).run((context) -> {
			searchThreeTimes(context.getBean(VectorStore.class));
			VectorStoreEndpoint endpoint = context.getBean(VectorStoreEndpoint.class);
			VectorStoreEndpoint.Snapshot snapshot = endpoint.act("vectorStore", "snapshot");
			assertThat(snapshot.documents()).isEqualTo(2);
			Path copy = Path.of(snapshot.directory());
			assertThat(copy.getParent()).isEqualTo(directory.resolve("vectorStore"));
			assertThat(copy.getFileName().toString()).matches("[0-9]{8}T[0-9]{6}\\.[0-9]{3}Z");
			this.contextRunner.withPropertyValues("spring.ai.vectorstore.ringkernel.directory=" + copy)
				.run((restored) -> assertThat(restored.getBean(RingKernelVectorStore.class).size()).isEqualTo(2));
		});
	}

	@Test
	void endpointCopiesNoStoreThatIsNotThere(@TempDir Path directory) {
		this.contextRunner.withPropertyValues(SNAPSHOT_DIRECTORY + "=" + directory).run((context) -> {
			assertThat(act(context, "../vectorStore", "snapshot")).returns(404, WebEndpointResponse::getStatus)
				.satisfies(says("No vector store has that name. Use one of [vectorStore]."));
			assertThat(act(context, "vectorStore", "../elsewhere")).returns(400, WebEndpointResponse::getStatus)
				.satisfies(says("Use 'snapshot'."));
			assertThat(act(context, "vectorStore", null)).returns(400, WebEndpointResponse::getStatus);
			assertThat(directory).isEmptyDirectory();
		});
	}

	@Test
	void endpointNamesThePropertyWithoutWhichItCopiesNothing() {
		this.contextRunner.run((context) -> {
			assertThat(act(context, "vectorStore", "snapshot")).returns(409, WebEndpointResponse::getStatus)
				.satisfies(says("Set " + SNAPSHOT_DIRECTORY));
			assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(VectorStoreEndpoint.class).act("vectorStore", "snapshot"))
				.withMessageContaining(SNAPSHOT_DIRECTORY);
		});
	}

	@Test
	void endpointSaysThatACopyCannotBeWritten(@TempDir Path directory) throws IOException {
		Path file = Files.writeString(directory.resolve("file"), "no directory");
		this.contextRunner.withPropertyValues(SNAPSHOT_DIRECTORY + "=" + file)
			.run((context) -> assertThat(act(context, "vectorStore", "snapshot"))
				.returns(500, WebEndpointResponse::getStatus)
				.satisfies(says("No snapshot could be written to " + file)));
	}

	@Test
	void endpointCopiesNothingUnlessThatIsPermitted() {
		ApplicationContextRunner actuator = this.contextRunner
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, EndpointAutoConfiguration.class,
					JmxEndpointAutoConfiguration.class))
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=vectorstore");
		actuator.run((context) -> assertThat(operationTypes(context)).containsOnly(OperationType.READ));
		actuator.withPropertyValues("management.endpoint.vectorstore.access=UNRESTRICTED")
			.run((context) -> assertThat(operationTypes(context)).contains(OperationType.READ, OperationType.WRITE));
	}

	private static Stream<OperationType> operationTypes(ApplicationContext context) {
		return context.getBean(JmxEndpointsSupplier.class)
			.getEndpoints()
			.stream()
			.flatMap((endpoint) -> endpoint.getOperations().stream())
			.map(Operation::getType);
	}

	private static WebEndpointResponse<Object> act(ApplicationContext context, String name, String action) {
		return context.getBean(VectorStoreEndpointWebExtension.class).act(name, action);
	}

	private static Consumer<WebEndpointResponse<Object>> says(String detail) {
		return (response) -> assertThat(response.getBody()).asInstanceOf(InstanceOfAssertFactories.MAP)
			.extractingByKey("detail", InstanceOfAssertFactories.STRING)
			.contains(detail);
	}

	@Test
	void metersCountDocumentsAndSearches() {
		this.contextRunner.run((context) -> {
			MeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(RingKernelVectorStoreMetrics.class).bindTo(registry);
			searchThreeTimes(context.getBean(VectorStore.class));
			assertThat(registry.get("ringkernel.vectorstore.documents").gauge().value()).isEqualTo(2);
			assertThat(registry.get("ringkernel.vectorstore.vectors").gauge().value()).isEqualTo(BYTES);
			assertThat(registry.get("ringkernel.vectorstore.search").functionTimer().count()).isEqualTo(3);
			assertThat(registry.get("ringkernel.vectorstore.compared").functionCounter().count()).isEqualTo(3 * BYTES);
		});
	}

	@Test
	void healthIsThatOfTheKernel() {
		this.contextRunner.run((context) -> {
			context.getBean(VectorStore.class).add(List.of(new Document("a", "some text", Map.of())));
			VectorStoreHealthIndicator indicator = context.getBean("vectorStoreHealthContributor",
					VectorStoreHealthIndicator.class);
			assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
			assertThat(indicator.health().getDetails()).containsEntry("documents", 1)
				.containsEntry("dimensions", DIMENSIONS)
				.containsEntry("kernel", "vector-search")
				.doesNotContainKey("problem");
			context.getBean(RingKernelVectorStore.class).kernel().deactivate();
			assertThat(indicator.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		});
	}

	@Test
	void healthIsDownIfDocumentsCannotBeLoaded() {
		this.contextRunner.run((context) -> {
			RingKernelVectorStore store = spy(context.getBean(RingKernelVectorStore.class));
			given(store.status())
				.willReturn(new VectorStoreStatus(5, DIMENSIONS, SimilarityMetric.COSINE, ElementType.FLOAT32, null, 0,
						0, 0, 0, new VectorStoreStatus.Recent(0, 0, 0, 0), "The device has memory for 0 vectors."));
			Health health = new VectorStoreHealthIndicator(store).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails()).containsEntry("problem", "The device has memory for 0 vectors.")
				.containsEntry("documents", 5);
		});
	}

	@Test
	void showsAllStoresByTheNamesOfTheirBeans() {
		try (RunningKernel one = new RunningKernel(); RunningKernel other = new RunningKernel()) {
			this.contextRunner.withBean("news", RingKernelVectorStore.class, () -> store(one))
				.withBean("mails", RingKernelVectorStore.class, () -> store(other))
				.run((context) -> {
					context.getBean("news", VectorStore.class).add(List.of(new Document("a", "some text", Map.of())));
					VectorStoreEndpoint endpoint = context.getBean(VectorStoreEndpoint.class);
					assertThat(endpoint.stores()).containsOnlyKeys("news", "mails");
					assertThat(endpoint.store("news")).returns(1, VectorStoreStatus::documents);
					assertThat(endpoint.store("vectorStore")).isNull();
					CompositeHealthContributor health = context.getBean("vectorStoreHealthContributor",
							CompositeHealthContributor.class);
					assertThat(health.stream()).extracting(HealthContributors.Entry::name)
						.containsExactlyInAnyOrder("news", "mails");
					MeterRegistry registry = new SimpleMeterRegistry();
					context.getBean(RingKernelVectorStoreMetrics.class).bindTo(registry);
					assertThat(registry.get("ringkernel.vectorstore.documents").tag("store", "news").gauge().value())
						.isEqualTo(1);
					assertThat(registry.get("ringkernel.vectorstore.documents").tag("store", "mails").gauge().value())
						.isZero();
				});
		}
	}

	private static RingKernelVectorStore store(RunningKernel running) {
		return RingKernelVectorStore.builder(new HashEmbeddingModel(DIMENSIONS), running.kernel()).build();
	}

	@Test
	void healthCanBeLeftOut() {
		this.contextRunner.withPropertyValues("management.health.vectorstore.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("vectorStoreHealthContributor"));
	}

	@Test
	void endpointIsThereIfItIsExposed() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(VectorStoreEndpoint.class));
	}

	@Test
	void storeNeedsNeitherActuatorNorMicrometer() {
		this.contextRunner
			.withClassLoader(new FilteredClassLoader(Endpoint.class, MeterBinder.class, HealthContributor.class))
			.run((context) -> assertThat(context).hasSingleBean(RingKernelVectorStore.class)
				.doesNotHaveBean(VectorStoreEndpoint.class)
				.doesNotHaveBean("vectorStoreHealthContributor")
				.doesNotHaveBean(RingKernelVectorStoreMetrics.class));
	}

}
