package io.ringkernel.sample.search;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.ringkernel.sample.search.index.CorpusIndexing;
import io.ringkernel.sample.search.index.Progress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.embedding.observation.EmbeddingModelObservationContext;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the application does when it is started again.
 */
@Tag("every-platform")
class RestartTests {

	@TempDir
	private Path directory;

	private ConfigurableApplicationContext start(int passages) {
		return new SpringApplicationBuilder(SearchApplication.class, CountingHandler.class).web(WebApplicationType.NONE)
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
			return application.getBean(CountingHandler.class).texts.get() - 1;
		}
	}

	@Test
	void embedsOnlyWhatIsNotStored() {
		assertThat(embedded(40)).isEqualTo(40);
		assertThat(embedded(40)).isZero();
		assertThat(embedded(50)).isEqualTo(10);
	}

	/** Counts what the model embeds. */
	static class CountingHandler implements ObservationHandler<EmbeddingModelObservationContext> {

		private final AtomicInteger texts = new AtomicInteger();

		@Override
		public void onStop(EmbeddingModelObservationContext context) {
			this.texts.addAndGet(context.getRequest().getInstructions().size());
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof EmbeddingModelObservationContext;
		}

	}

}
