package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Transactions, the same for the same seed. One of 997 cannot be scored.
 *
 * @param seed what they are made of
 * @param firstCard the lowest number of a card
 * @param cards how many cards there are
 */
record Workload(long seed, long firstCard, int cards) {

	private static final int UNSCORABLE = 997;

	/**
	 * Returns a transaction that can be scored.
	 * @return nothing if this one cannot
	 */
	@Nullable CardTransaction transaction(long id) {
		return (id % UNSCORABLE == 0) ? null : make(id);
	}

	private CardTransaction make(long id) {
		SplittableRandom random = new SplittableRandom(this.seed * 31 + id);
		return new CardTransaction(id, this.firstCard + random.nextInt(this.cards), 1 + random.nextInt(50_000) / 100f,
				random.nextInt(-9000, 9000) / 100f, random.nextInt(-18000, 18000) / 100f);
	}

	/**
	 * Whether a card is one of this workload.
	 */
	boolean hasCard(long card) {
		return card >= this.firstCard && card < this.firstCard + this.cards;
	}

	/**
	 * Returns a transaction as a record of its topic.
	 */
	ProducerRecord<byte[], byte[]> toRecord(long id) {
		CardTransaction transaction = make(id);
		String json = "{\"id\":%d,\"card\":%d,\"amount\":%s,\"latitude\":%s,\"longitude\":%s}".formatted(id,
				transaction.card(), (id % UNSCORABLE != 0) ? Float.toString(transaction.amount()) : "-1",
				transaction.latitude(), transaction.longitude());
		return new ProducerRecord<>("transactions", bytes(Long.toString(transaction.card())), bytes(json));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
