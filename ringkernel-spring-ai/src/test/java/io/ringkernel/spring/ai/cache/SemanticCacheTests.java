package io.ringkernel.spring.ai.cache;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.HashEmbeddingModel;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.RunningKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.ai.document.Document;
import org.springframework.ai.document.MetadataMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link SemanticCache}.
 */
class SemanticCacheTests {

	private static final Duration TIME_TO_LIVE = Duration.ofMinutes(10);

	private final RunningKernel running = new RunningKernel(BackendKind.CPU);

	private final RingKernelVectorStore store = RingKernelVectorStore
		.builder(new HashEmbeddingModel(64), this.running.kernel())
		.build();

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

	@AfterEach
	void stop() {
		this.store.destroy();
		this.running.close();
	}

	private SemanticCache.Builder builder() {
		return SemanticCache.builder(this.store).clock(clock()).timeToLive(TIME_TO_LIVE);
	}

	private Clock clock() {
		InstantSource source = this.now::get;
		return source.withZone(ZoneOffset.UTC);
	}

	private void pass(Duration duration) {
		this.now.updateAndGet((instant) -> instant.plus(duration));
	}

	@Test
	void findsTheAnswerToASimilarQuestion() {
		SemanticCache cache = builder().similarityThreshold(0.8).build();
		cache.put("p", "how do i reset my password", "By the link.");
		assertThat(cache.find("p", "how do i reset my password")).contains("By the link.");
		assertThat(cache.find("p", "how do i reset my password please")).contains("By the link.");
		assertThat(cache.find("p", "what does the premium plan cost")).isEmpty();
	}

	@Test
	void findsTheAnswerIfTheModelEmbedsMetadata() {
		RingKernelVectorStore embedsMetadata = RingKernelVectorStore.builder(new HashEmbeddingModel(64) {

			@Override
			public String getEmbeddingContent(Document document) {
				return document.getFormattedContent(MetadataMode.EMBED);
			}

		}, this.running.kernel()).build();
		try {
			SemanticCache cache = SemanticCache.builder(embedsMetadata).build();
			cache.put("p", "how do i reset my password", "By the link.");
			assertThat(cache.find("p", "how do i reset my password")).contains("By the link.");
		}
		finally {
			embedsMetadata.destroy();
		}
	}

	@Test
	void thresholdDecidesWhatIsSimilar() {
		SemanticCache cache = builder().similarityThreshold(0.99).build();
		cache.put("p", "how do i reset my password", "By the link.");
		assertThat(cache.find("p", "how do i reset my password please")).isEmpty();
	}

	@Test
	void findsNothingOfAnotherPartition() {
		SemanticCache cache = builder().build();
		cache.put("alice", "what is my balance", "100");
		assertThat(cache.find("bob", "what is my balance")).isEmpty();
		cache.put("bob", "what is my balance", "7");
		assertThat(cache.find("alice", "what is my balance")).contains("100");
		assertThat(cache.find("bob", "what is my balance")).contains("7");
	}

	@Test
	void findsNothingThatIsTooOld() {
		SemanticCache cache = builder().build();
		cache.put("p", "what time is it", "Noon.");
		pass(TIME_TO_LIVE.minusMillis(1));
		assertThat(cache.find("p", "what time is it")).contains("Noon.");
		pass(Duration.ofMillis(1));
		assertThat(cache.find("p", "what time is it")).isEmpty();
	}

	@Test
	void removesWhatIsTooOld() {
		SemanticCache cache = builder().build();
		cache.put("p", "first question", "a");
		cache.put("p", "second question", "b");
		pass(TIME_TO_LIVE.multipliedBy(2));
		cache.put("p", "third question", "c");
		assertThat(this.store.size()).isEqualTo(1);
	}

	@Test
	void evictsTheAnswerThatWasUsedLeastRecently() {
		SemanticCache cache = builder().maxEntries(2).build();
		cache.put("p", "red apples", "a");
		cache.put("p", "green pears", "b");
		assertThat(cache.find("p", "red apples")).contains("a");
		cache.put("p", "yellow bananas", "c");
		assertThat(this.store.size()).isEqualTo(2);
		assertThat(cache.find("p", "green pears")).isEmpty();
		assertThat(cache.find("p", "red apples")).contains("a");
		assertThat(cache.find("p", "yellow bananas")).contains("c");
	}

	@Test
	void evictsAnswersThatAreTooOldBeforeOthers() {
		SemanticCache cache = builder().maxEntries(2).build();
		cache.put("p", "red apples", "a");
		pass(TIME_TO_LIVE.dividedBy(2));
		cache.put("p", "green pears", "b");
		assertThat(cache.find("p", "red apples")).contains("a");
		pass(TIME_TO_LIVE.dividedBy(2));
		cache.put("p", "yellow bananas", "c");
		assertThat(cache.find("p", "green pears")).contains("b");
		assertThat(cache.find("p", "yellow bananas")).contains("c");
		assertThat(this.store.size()).isEqualTo(2);
	}

	@Test
	void refusesLimitsThatMakeNoSense() {
		assertThatIllegalArgumentException().isThrownBy(() -> builder().similarityThreshold(1.1))
			.withMessage("similarityThreshold is 1.1; it must be above 0 and at most 1");
		assertThatIllegalArgumentException().isThrownBy(() -> builder().maxEntries(0))
			.withMessage("maxEntries is 0; it must be positive");
		assertThatIllegalArgumentException().isThrownBy(() -> builder().timeToLive(Duration.ZERO))
			.withMessage("timeToLive is PT0S; it must be positive, and at most 36500 days");
		assertThatIllegalArgumentException().isThrownBy(() -> builder().timeToLive(ChronoUnit.FOREVER.getDuration()))
			.withMessageEndingWith("it must be positive, and at most 36500 days");
	}

}
