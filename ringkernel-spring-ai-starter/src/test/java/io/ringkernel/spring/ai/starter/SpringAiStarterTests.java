package io.ringkernel.spring.ai.starter;

import java.util.List;

import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.AbstractEmbeddingModel;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application that has the starter and an embedding model.
 */
@ExtendWith(OutputCaptureExtension.class)
class SpringAiStarterTests {

	private static final String LOG_QUERY_RESPONSE = "spring.ai.vectorstore.observations.log-query-response";

	/** How Spring AI begins to log one. */
	private static final String RESPONSE = "Vector Store Query Response:";

	@Test
	void aStoreIsThereWithoutWebAndActuator() {
		for (String absent : new String[] { "org.springframework.web.context.WebApplicationContext",
				"org.springframework.boot.actuate.endpoint.annotation.Endpoint",
				"org.springframework.boot.health.contributor.HealthContributor" }) {
			assertThat(ClassUtils.isPresent(absent, getClass().getClassLoader())).as(absent).isFalse();
		}
		try (ConfigurableApplicationContext context = SpringApplication.run(Application.class)) {
			VectorStore store = context.getBean(VectorStore.class);
			store.add(List.of(new Document("short"), new Document("quite a long text")));
			assertThat(store.similaritySearch("a long text too")).first()
				.returns("quite a long text", Document::getText);
		}
	}

	@Test
	void logsTheResponsesOfSearchesIfThatIsSet(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(List.of(Application.class), LOG_QUERY_RESPONSE + "=true")) {
			search(context, "the answer of a search");
			assertThat(output).contains(RESPONSE).contains("the answer of a search");
		}
	}

	@Test
	void doesNotLogTheResponsesOfSearchesByDefault(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(List.of(Application.class))) {
			assertThat(context.getBeansOfType(ObservationRegistry.class)).hasSize(1);
			search(context, "the answer of a search");
			assertThat(output).doesNotContain(RESPONSE).doesNotContain("the answer of a search");
		}
	}

	@Test
	void logsTheResponsesOfTheContextAlone(CapturedOutput output) {
		try (ConfigurableApplicationContext quiet = run(List.of(Application.class));
				ConfigurableApplicationContext logging = run(List.of(Application.class),
						LOG_QUERY_RESPONSE + "=true")) {
			search(quiet, "what nobody logs");
			search(logging, "what is logged");
			assertThat(output).contains("what is logged").doesNotContain("what nobody logs");
		}
	}

	@Test
	void logsNoResponsesWithoutAnObservationRegistry(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(List.of(Application.class), LOG_QUERY_RESPONSE + "=true",
				"spring.autoconfigure.exclude=" + ObservationAutoConfiguration.class.getName())) {
			assertThat(context.getBeansOfType(ObservationRegistry.class)).isEmpty();
			search(context, "the answer of a search");
			assertThat(output).doesNotContain(RESPONSE).doesNotContain("the answer of a search");
		}
	}

	@Test
	void logsTheResponsesOfSearchesWithAnOwnObservationRegistry(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(List.of(Application.class, OwnObservationRegistry.class),
				LOG_QUERY_RESPONSE + "=true")) {
			assertThat(context.getBeansOfType(ObservationRegistry.class)).containsOnlyKeys("ownRegistry");
			search(context, "the answer of a search");
			assertThat(output).contains(RESPONSE).contains("the answer of a search");
		}
	}

	private static ConfigurableApplicationContext run(List<Class<?>> sources, String... properties) {
		return new SpringApplicationBuilder(sources.toArray(Class[]::new)).properties("logging.level.root=info")
			.properties(properties)
			.run();
	}

	private static void search(ConfigurableApplicationContext context, String text) {
		VectorStore store = context.getBean(VectorStore.class);
		store.add(List.of(new Document(text)));
		assertThat(store.similaritySearch("a text")).extracting(Document::getText).containsExactly(text);
	}

	@SpringBootApplication
	static class Application {

		@Bean
		EmbeddingModel embeddingModel() {
			return new LengthEmbeddingModel();
		}

	}

	static class OwnObservationRegistry {

		@Bean
		ObservationRegistry ownRegistry() {
			return ObservationRegistry.create();
		}

	}

	/** Texts are similar if they are of similar length. */
	private static final class LengthEmbeddingModel extends AbstractEmbeddingModel {

		@Override
		public EmbeddingResponse call(EmbeddingRequest request) {
			return new EmbeddingResponse(request.getInstructions()
				.stream()
				.map((text) -> new Embedding(new float[] { text.length(), 10 }, 0))
				.toList());
		}

		@Override
		public float[] embed(Document document) {
			return embed(String.valueOf(document.getText()));
		}

		@Override
		public int dimensions() {
			return 2;
		}

	}

}
