package io.ringkernel.sample.search.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.exception.RingKernelException;
import io.ringkernel.sample.search.SearchProperties;
import io.ringkernel.sample.search.corpus.Passage;
import io.ringkernel.sample.search.corpus.WordNet;
import io.ringkernel.sample.search.index.Progress.State;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Embeds the passages that the vector store lacks, on a thread of its own, while searches
 * find what is there. What was embedded stays in the store's directory, so a later start
 * goes on where this one has ended.
 */
@Component
public class CorpusIndexing implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(CorpusIndexing.class);

	/** So many passages are written to the disk at once. */
	private static final int BATCH = 256;

	private static final int LOG_STEPS = 20;

	private static final Duration REST = Duration.ofSeconds(1);

	/** One batch takes about a second. */
	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

	private final WordNet wordNet;

	private final RingKernelVectorStore store;

	private final EmbeddingModel model;

	private final PlainSearch plain;

	private final int limit;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile Progress progress = new Progress(State.READING, 0, 0, 0, null);

	private volatile @Nullable Thread thread;

	CorpusIndexing(WordNet wordNet, RingKernelVectorStore store, EmbeddingModel model, PlainSearch plain,
			SearchProperties properties) {
		this.wordNet = wordNet;
		this.store = store;
		this.model = model;
		this.plain = plain;
		this.limit = properties.passages();
	}

	/**
	 * {@return how far it is}
	 */
	public Progress progress() {
		return this.progress;
	}

	@Override
	public void start() {
		Thread started = new Thread(this::run, "corpus-indexing");
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	private void run() {
		try {
			index(this.wordNet.nouns(this.limit));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException | Error ex) {
			logger.error("The passages could not be embedded", ex);
			Progress last = this.progress;
			this.progress = new Progress(State.FAILED, last.embedded(), last.total(), 0,
					"The passages could not be embedded: %s Searches find what is embedded. Start the application again when the cause is gone."
						.formatted(ex.getMessage()));
		}
	}

	private void index(List<Passage> passages) throws InterruptedException {
		List<Passage> missing = takeStored(passages);
		Pace pace = new Pace(passages.size() - missing.size(), passages.size());
		this.progress = pace.at(State.EMBEDDING, 0);
		if (!missing.isEmpty()) {
			logger.info("Embedding {} of {} passages; searches find what is embedded so far", missing.size(),
					passages.size());
		}
		Batch next = batch(missing, 0);
		for (int from = 0; from < missing.size(); from += BATCH) {
			Batch batch = next;
			int to = from + batch.passages().size();
			next = batch(missing, to);
			if (!add(batch, pace.at(State.WAITING, from))) {
				return;
			}
			this.progress = pace.at(State.EMBEDDING, to);
			if (to * LOG_STEPS / missing.size() > from * LOG_STEPS / missing.size()) {
				logger.info("{} of {} passages are embedded, {} a second", this.progress.embedded(), passages.size(),
						Math.round(this.progress.passagesPerSecond()));
			}
		}
		this.progress = pace.at(State.READY, missing.size());
		logger.info("All {} passages can be found", passages.size());
	}

	private List<Passage> takeStored(List<Passage> passages) {
		List<Passage> missing = new ArrayList<>();
		for (Passage passage : passages) {
			this.store.embedding(passage.id())
				.ifPresentOrElse((vector) -> this.plain.add(passage, vector), () -> missing.add(passage));
		}
		return missing;
	}

	/** The passages from one on, which are embedded while those before are stored. */
	private Batch batch(List<Passage> missing, int from) {
		List<Passage> passages = missing.subList(from, Math.min(missing.size(), from + BATCH));
		List<Document> documents = passages.stream().map(Passage::toDocument).toList();
		return new Batch(passages, documents,
				documents.isEmpty() ? CompletableFuture.completedFuture(List.of()) : embed(documents));
	}

	private CompletableFuture<List<float[]>> embed(List<Document> documents) {
		return CompletableFuture.supplyAsync(
				() -> this.model.embed(documents, EmbeddingOptions.builder().build(), (all) -> List.of(all)),
				(embedding) -> new Thread(embedding, "passage-embedding").start());
	}

	/**
	 * Adds passages as soon as the kernels take them.
	 * @return whether it has done so; otherwise the application ends
	 */
	private boolean add(Batch batch, Progress waiting) throws InterruptedException {
		CompletableFuture<List<float[]>> embedded = batch.vectors();
		while (this.stopped.getCount() > 0) {
			try {
				List<float[]> vectors = vectors(embedded);
				this.store.add(batch.documents(), vectors);
				for (int i = 0; i < vectors.size(); i++) {
					this.plain.add(batch.passages().get(i), vectors.get(i));
				}
				return true;
			}
			catch (RingKernelException ex) {
				if (this.progress.problem() == null) {
					logger.warn("The kernel does not take passages; they are offered again every second", ex);
				}
				this.progress = new Progress(State.WAITING, waiting.embedded(), waiting.total(), 0, ex.getMessage());
				this.stopped.await(REST.toMillis(), TimeUnit.MILLISECONDS);
				embedded = embed(batch.documents());
			}
		}
		return false;
	}

	private static List<float[]> vectors(CompletableFuture<List<float[]>> embedded) {
		try {
			return embedded.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RingKernelException cause) {
				throw cause;
			}
			throw ex;
		}
	}

	@Override
	public void stop() {
		this.stopped.countDown();
		Thread running = this.thread;
		try {
			if (running != null) {
				running.join(STOP_TIMEOUT.toMillis());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		Thread started = this.thread;
		return started != null && this.stopped.getCount() > 0;
	}

	/** Passages that are stored at once. */
	private record Batch(List<Passage> passages, List<Document> documents, CompletableFuture<List<float[]>> vectors) {
	}

	/** How fast passages are embedded since the start. */
	private static final class Pace {

		private final long began = System.nanoTime();

		private final int before;

		private final int total;

		Pace(int before, int total) {
			this.before = before;
			this.total = total;
		}

		Progress at(State state, int embedded) {
			double seconds = (System.nanoTime() - this.began) / 1e9;
			return new Progress(state, this.before + embedded, this.total,
					(embedded > 0 && seconds > 0) ? embedded / seconds : 0, null);
		}

	}

}
