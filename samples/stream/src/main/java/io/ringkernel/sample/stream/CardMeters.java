package io.ringkernel.sample.stream;

import java.util.List;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.ringkernel.sample.stream.kernel.CardStreamProperties;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Counts what this node has written: {@code card.scores}, with the tag {@code flagged},
 * and {@code card.dead.letters}. A score is flagged if it is above
 * {@code card-stream.flag-above}. Counters go up after the commit, so a transaction that
 * was aborted does not count. A node that ends between the two does not count its last
 * poll.
 */
@Component
class CardMeters {

	private final float flagAbove;

	private final Counter flagged;

	private final Counter passed;

	private final Counter deadLetters;

	CardMeters(MeterRegistry registry, CardStreamProperties properties) {
		this.flagAbove = properties.flagAbove();
		this.flagged = scores(registry, true);
		this.passed = scores(registry, false);
		this.deadLetters = Counter.builder("card.dead.letters")
			.description("Transactions that could not be scored")
			.register(registry);
	}

	private static Counter scores(MeterRegistry registry, boolean flagged) {
		return Counter.builder("card.scores")
			.description("Transactions that were scored")
			.tag("flagged", Boolean.toString(flagged))
			.register(registry);
	}

	/**
	 * Counts the scores and dead letters of a poll once the transaction of the thread is
	 * committed.
	 */
	void countOnCommit(List<CardScore> scores, int deadLetters) {
		int flagged = (int) scores.stream().filter((score) -> score.score() > this.flagAbove).count();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				CardMeters.this.flagged.increment(flagged);
				CardMeters.this.passed.increment(scores.size() - flagged);
				CardMeters.this.deadLetters.increment(deadLetters);
			}

		});
	}

}
