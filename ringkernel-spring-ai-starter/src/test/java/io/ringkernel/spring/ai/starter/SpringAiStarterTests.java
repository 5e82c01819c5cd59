package io.ringkernel.spring.ai.starter;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.AbstractEmbeddingModel;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application that has the starter and an embedding model.
 */
class SpringAiStarterTests {

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

	@SpringBootApplication
	static class Application {

		@Bean
		EmbeddingModel embeddingModel() {
			return new LengthEmbeddingModel();
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
