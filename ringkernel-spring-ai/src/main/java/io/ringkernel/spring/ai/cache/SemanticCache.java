package io.ringkernel.spring.ai.cache;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.ai.vectorstore.filter.FilterExpressionBuilder;
import org.springframework.util.Assert;

/**
 * Answers that a vector store keeps with their questions. A question finds the answer to
 * the most similar question of its partition, if that is similar enough and not too old.
 * Partitions are told apart by a filter expression.
 * <p>
 * If there are too many answers, those that are too old are evicted, or else the one that
 * was used least recently. Those that an earlier process has left in the store are not
 * among them; they go when they are too old. Safe for use by any number of threads.
 *
 * @since 0.2.0
 */
public final class SemanticCache {

	private static final String PARTITION = "cache_partition";

	private static final String EXPIRES = "cache_expires";

	private static final String ANSWER = "cache_answer";

	/** With it, every clock is within the range of an {@link Instant}. */
	private static final Duration MAX_TIME_TO_LIVE = Duration.ofDays(36_500);

	private static final float LOAD_FACTOR = 0.75f;

	private final VectorStore store;

	private final double similarityThreshold;

	private final Duration timeToLive;

	private final int maxEntries;

	private final Clock clock;

	/** Until when answers may be used, the least recently used first; by their ids. */
	private final Map<String, Long> used = new LinkedHashMap<>(16, LOAD_FACTOR, true);

	private Instant nextSweep;

	private SemanticCache(Builder builder) {
		this.store = builder.store;
		this.similarityThreshold = builder.similarityThreshold;
		this.timeToLive = builder.timeToLive;
		this.maxEntries = builder.maxEntries;
		this.clock = builder.clock;
		this.nextSweep = this.clock.instant();
	}

	/**
	 * Begins a cache.
	 * @param store where answers are kept; best for the cache alone
	 * @return a builder
	 */
	public static Builder builder(VectorStore store) {
		return new Builder(store);
	}

	/**
	 * Finds the answer to a question.
	 * @param partition whose answers to look at
	 * @param question the question
	 * @return the answer to the most similar question, if there is one
	 */
	public Optional<String> find(String partition, String question) {
		FilterExpressionBuilder is = new FilterExpressionBuilder();
		SearchRequest request = SearchRequest.builder()
			.query(question)
			.topK(1)
			.similarityThreshold(this.similarityThreshold)
			.filterExpression(is.and(is.eq(PARTITION, partition), is.gt(EXPIRES, this.clock.millis())).build())
			.build();
		Optional<Document> found = this.store.similaritySearch(request).stream().findFirst();
		found.ifPresent((document) -> touch(document.getId()));
		return found.map((document) -> String.valueOf(document.getMetadata().get(ANSWER)));
	}

	private synchronized void touch(String id) {
		this.used.computeIfPresent(id, (key, expires) -> expires);
	}

	/**
	 * Keeps an answer.
	 * @param partition whose answer it is
	 * @param question what it answers
	 * @param answer the answer
	 */
	public void put(String partition, String question, String answer) {
		String id = UUID.randomUUID().toString();
		long expires = this.clock.instant().plus(this.timeToLive).toEpochMilli();
		Document document = new Document(id, question, Map.of(PARTITION, partition, EXPIRES, expires, ANSWER, answer));
		// A model that embeds metadata would embed the answer too.
		document.setContentFormatter((formatted, mode) -> question);
		this.store.add(List.of(document));
		List<String> evicted = evict(id, expires);
		if (!evicted.isEmpty()) {
			this.store.delete(evicted);
		}
		if (isSweepDue()) {
			this.store.delete(new FilterExpressionBuilder().lte(EXPIRES, this.clock.millis()).build());
		}
	}

	/** Those that are too old go before one that can be used. */
	private synchronized List<String> evict(String added, long expires) {
		this.used.put(added, expires);
		if (this.used.size() <= this.maxEntries) {
			return List.of();
		}
		long now = this.clock.millis();
		List<String> evicted = this.used.entrySet()
			.stream()
			.filter((answer) -> answer.getValue() <= now)
			.map(Map.Entry::getKey)
			.toList();
		if (evicted.isEmpty()) {
			evicted = List.of(this.used.keySet().iterator().next());
		}
		evicted.forEach(this.used::remove);
		return evicted;
	}

	/** What is too old stays for twice its time at most, as long as answers are added. */
	private synchronized boolean isSweepDue() {
		Instant now = this.clock.instant();
		boolean due = !now.isBefore(this.nextSweep);
		if (due) {
			this.nextSweep = now.plus(this.timeToLive);
		}
		return due;
	}

	/**
	 * Sets a cache up.
	 *
	 * @since 0.2.0
	 */
	public static final class Builder {

		private final VectorStore store;

		private double similarityThreshold = 0.95;

		private Duration timeToLive = Duration.ofHours(1);

		private int maxEntries = 10_000;

		private Clock clock = Clock.systemUTC();

		private Builder(VectorStore store) {
			this.store = store;
		}

		/**
		 * Sets how similar questions are that have the same answer. 0.95 is the default.
		 * @param threshold the lowest score, above 0 and at most 1
		 * @return this builder
		 */
		public Builder similarityThreshold(double threshold) {
			Assert.isTrue(threshold > 0 && threshold <= 1,
					() -> "similarityThreshold is %s; it must be above 0 and at most 1".formatted(threshold));
			this.similarityThreshold = threshold;
			return this;
		}

		/**
		 * Sets how long an answer may be used. One hour is the default.
		 * @param duration the duration; positive, and at most 36,500 days
		 * @return this builder
		 */
		public Builder timeToLive(Duration duration) {
			Assert.isTrue(!duration.isNegative() && !duration.isZero() && duration.compareTo(MAX_TIME_TO_LIVE) <= 0,
					() -> "timeToLive is %s; it must be positive, and at most %d days".formatted(duration,
							MAX_TIME_TO_LIVE.toDays()));
			this.timeToLive = duration;
			return this;
		}

		/**
		 * Sets how many answers are kept. 10,000 is the default.
		 * @param entries the most answers; positive
		 * @return this builder
		 */
		public Builder maxEntries(int entries) {
			Assert.isTrue(entries > 0, () -> "maxEntries is %d; it must be positive".formatted(entries));
			this.maxEntries = entries;
			return this;
		}

		/**
		 * Sets what tells the time. The system's clock is the default.
		 * @param source the clock
		 * @return this builder
		 */
		public Builder clock(Clock source) {
			this.clock = source;
			return this;
		}

		/**
		 * Creates the cache.
		 * @return the cache
		 */
		public SemanticCache build() {
			return new SemanticCache(this);
		}

	}

}
