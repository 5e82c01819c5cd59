package io.ringkernel.sample.search;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.sample.search.SearchAnswer.Hit;
import io.ringkernel.sample.search.SearchAnswer.Timing;
import io.ringkernel.sample.search.corpus.Category;
import io.ringkernel.sample.search.corpus.Passage;
import io.ringkernel.sample.search.index.PlainSearch;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.filter.FilterExpressionBuilder;
import org.springframework.stereotype.Service;

/**
 * Finds nouns by what they mean, in the vector store and by a plain loop, and times both.
 */
@Service
public class PassageSearch {

	private static final double NANOS_PER_MICRO = 1000;

	private final EmbeddingModel model;

	private final RingKernelVectorStore store;

	private final PlainSearch plain;

	private final Kernel<?, ?> kernel;

	PassageSearch(EmbeddingModel model, RingKernelVectorStore store, PlainSearch plain) {
		this.model = model;
		this.store = store;
		this.plain = plain;
		this.kernel = store.<Kernel<?, ?>>getNativeClient().orElseThrow();
	}

	/**
	 * Finds the nouns whose meaning is nearest to a text.
	 * @param text the text; not blank
	 * @param category which nouns, or {@code null} for all
	 * @param limit the most nouns to find
	 * @return what was found
	 */
	public SearchAnswer search(String text, @Nullable Category category, int limit) {
		long began = System.nanoTime();
		float[] vector = this.model.embed(text);
		return search(vector, System.nanoTime() - began, category, SearchRequest.builder().query(text).topK(limit));
	}

	/**
	 * Finds the nouns whose meaning is nearest to that of a noun, which is the first of
	 * them.
	 * @param id the id of the noun
	 * @param limit the most nouns to find
	 * @return what was found, if there is such a noun
	 */
	public Optional<SearchAnswer> similar(String id, int limit) {
		return this.store.embedding(id)
			.map((vector) -> search(vector, 0, null, SearchRequest.builder().query(id).topK(limit)));
	}

	private SearchAnswer search(float[] vector, long embeddingNanos, @Nullable Category category,
			SearchRequest.Builder builder) {
		if (category != null) {
			builder.filterExpression(new FilterExpressionBuilder().eq(Passage.CATEGORY, category.key()).build());
		}
		SearchRequest request = builder.similarityThresholdAll().build();
		int passages = this.store.size();
		Optional<DeviceTimes> before = this.kernel.deviceTimes();
		long began = System.nanoTime();
		List<Document> found = this.store.similaritySearch(vector, request);
		long searched = System.nanoTime();
		List<String> foundByLoop = this.plain.search(vector, category, request.getTopK());
		long looped = System.nanoTime();
		Timing timing = new Timing(micros(embeddingNanos), micros(searched - began), deviceMicros(before),
				micros(looped - searched));
		int both = (int) found.stream().filter((document) -> foundByLoop.contains(document.getId())).count();
		return new SearchAnswer(passages, found.stream().map(PassageSearch::hit).toList(), timing, both);
	}

	/**
	 * The mean of all requests since then; other searches of that time are among them.
	 */
	private @Nullable Double deviceMicros(Optional<DeviceTimes> before) {
		if (before.isEmpty()) {
			return null;
		}
		return this.kernel.deviceTimes().map((now) -> {
			long count = now.count() - before.get().count();
			return (count > 0) ? micros((now.totalNanos() - before.get().totalNanos()) / count) : null;
		}).orElse(null);
	}

	private static double micros(long nanos) {
		return nanos / NANOS_PER_MICRO;
	}

	private static Hit hit(Document document) {
		List<?> words = (List<?>) Objects.requireNonNull(document.getMetadata().get(Passage.WORDS));
		return new Hit(document.getId(), words.stream().map(String::valueOf).toList(),
				String.valueOf(document.getText()), String.valueOf(document.getMetadata().get(Passage.CATEGORY)),
				Objects.requireNonNull(document.getScore()));
	}

}
