package io.ringkernel.sample.search;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.sample.search.embedding.MiniLmEmbeddingModel;
import io.ringkernel.sample.search.index.CorpusIndexing;
import io.ringkernel.sample.search.index.Progress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the application does when it is started again.
 */
@Tag("every-platform")
class RestartTests {

	@TempDir
	private Path directory;

	private ConfigurableApplicationContext start(int passages) {
		return new SpringApplicationBuilder(SearchApplication.class, CountingModel.class).web(WebApplicationType.NONE)
			.run("--ringkernel.backend=cpu", "--sample.search.passages=" + passages,
					"--spring.ai.vectorstore.ringkernel.directory=" + this.directory);
	}

	private int embedded(int passages) {
		try (ConfigurableApplicationContext application = start(passages)) {
			Progress progress = EmbeddedCorpus.await(application.getBean(CorpusIndexing.class));
			assertThat(progress.embedded()).isEqualTo(passages);
			assertThat(
					application.getBean(PassageSearch.class).search("twelve months", null, 10).alsoFoundByPlainLoop())
				.isEqualTo(10);
			// The query is embedded as well.
			return application.getBean(CountingModel.class).texts.get() - 1;
		}
	}

	@Test
	void embedsOnlyWhatIsNotStored() {
		assertThat(embedded(40)).isEqualTo(40);
		assertThat(embedded(40)).isZero();
		assertThat(embedded(50)).isEqualTo(10);
	}

	/** The model, which counts what it embeds. */
	@Primary
	static class CountingModel extends MiniLmEmbeddingModel {

		private final AtomicInteger texts = new AtomicInteger();

		@Override
		public EmbeddingResponse call(EmbeddingRequest request) {
			this.texts.addAndGet(request.getInstructions().size());
			return super.call(request);
		}

	}

}
