package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Simulated transactions, the same for the same seed. One of 997 cannot be scored.
 *
 * @param simulator what makes them
 */
record Workload(TransactionSimulator simulator) {

	private static final int UNSCORABLE = 997;

	/**
	 * Transactions of cards.
	 * @param seed what they are made of
	 * @param firstCard the lowest number of a card
	 * @param cards how many cards there are
	 */
	Workload(long seed, long firstCard, int cards) {
		this(new TransactionSimulator(seed, firstCard, cards));
	}

	/**
	 * Returns a transaction that can be scored.
	 * @return nothing if this one cannot
	 */
	@Nullable CardTransaction transaction(long id) {
		return (id % UNSCORABLE == 0) ? null : this.simulator.simulate(id).transaction();
	}

	/**
	 * Whether a card is one of this workload.
	 */
	boolean hasCard(long card) {
		return card >= this.simulator.firstCard() && card < this.simulator.firstCard() + this.simulator.cards();
	}

	/**
	 * Returns a transaction as a record of its topic.
	 */
	ProducerRecord<byte[], byte[]> toRecord(long id) {
		CardTransaction transaction = this.simulator.simulate(id).transaction();
		String json = "{\"id\":%d,\"card\":%d,\"amount\":%s,\"latitude\":%s,\"longitude\":%s}".formatted(id,
				transaction.card(), (id % UNSCORABLE != 0) ? Float.toString(transaction.amount()) : "-1",
				transaction.latitude(), transaction.longitude());
		return new ProducerRecord<>("transactions", bytes(Long.toString(transaction.card())), bytes(json));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
