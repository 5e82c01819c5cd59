package io.ringkernel.sample.stream;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.ringkernel.sample.stream.kernel.CardRequest;
import io.ringkernel.sample.stream.kernel.CardResponse;
import io.ringkernel.sample.stream.kernel.Outcome;

import org.springframework.messaging.Message;
import org.springframework.stereotype.Component;

/**
 * Scores the transactions of a poll: one batch of requests, and one Kafka transaction
 * with the scores, the features, the dead letters and the offsets. The binder begins it
 * and commits it. If this method throws, the binder aborts it and delivers the same
 * records again. The broker's limit of a transaction's time counts from its first record,
 * so nothing is written before all is scored.
 */
@Component("score")
class TransactionListener implements Consumer<Message<List<Object>>> {

	private final TransactionReader reader;

	private final PartitionStates states;

	private final Function<List<CardRequest>, List<CardResponse>> scoring;

	private final Outputs outputs;

	TransactionListener(TransactionReader reader, PartitionStates states,
			Function<List<CardRequest>, List<CardResponse>> scoring, Outputs outputs) {
		this.reader = reader;
		this.states = states;
		this.scoring = scoring;
		this.outputs = outputs;
	}

	@Override
	public void accept(Message<List<Object>> poll) {
		List<ReceivedRecord> records = ReceivedRecord.of(poll);
		List<Scorable> scorables = new ArrayList<>(records.size());
		Map<ReceivedRecord, String> rejected = new LinkedHashMap<>();
		for (ReceivedRecord received : records) {
			try {
				scorables.add(new Scorable(received, this.reader.read(received)));
			}
			catch (UnscorableException ex) {
				rejected.put(received, String.valueOf(ex.getMessage()));
			}
		}
		List<CardResponse> responses = score(records, scorables);
		Map<Long, KeptFeatures> latest = new LinkedHashMap<>();
		for (int i = 0; i < responses.size(); i++) {
			CardTransaction transaction = scorables.get(i).transaction();
			ReceivedRecord received = scorables.get(i).received();
			CardResponse response = responses.get(i);
			switch (response.outcome()) {
				case DONE -> {
					this.outputs.score(new CardScore(transaction.id(), transaction.card(), response.score(),
							response.features().count()));
					latest.put(transaction.card(),
							new KeptFeatures(received.partition(), transaction.card(), response.features()));
				}
				case FULL -> rejected.put(received,
						"The kernel has no room for another card of partition %d; raise card-stream.cards-per-partition."
							.formatted(received.partition()));
				case STALE -> throw new IllegalStateException(
						"The kernel has lost the state of partition %d again".formatted(received.partition()));
			}
		}
		latest.values().forEach(this.outputs::features);
		rejected.forEach(this.outputs::reject);
	}

	/**
	 * Scores once more if the kernel has lost its state. Nothing is written yet, so the
	 * committed features are still those before these records.
	 */
	private List<CardResponse> score(List<ReceivedRecord> records, List<Scorable> scorables) {
		List<CardResponse> responses = score(this.states.begin(records), scorables);
		if (responses.stream().anyMatch((response) -> response.outcome() == Outcome.STALE)) {
			this.states.lost();
			responses = score(this.states.begin(records), scorables);
		}
		return responses;
	}

	private List<CardResponse> score(Map<Integer, Long> epochs, List<Scorable> scorables) {
		return this.scoring.apply(scorables.stream().map((scorable) -> scorable.request(epochs)).toList());
	}

	/**
	 * A record with the transaction that it contains.
	 */
	private record Scorable(ReceivedRecord received, CardTransaction transaction) {

		CardRequest request(Map<Integer, Long> epochs) {
			return CardRequest.score(this.received.partition(), epochs.getOrDefault(this.received.partition(), 0L),
					this.transaction.card(), this.transaction.amount(), this.transaction.latitude(),
					this.transaction.longitude());
		}

	}

}
