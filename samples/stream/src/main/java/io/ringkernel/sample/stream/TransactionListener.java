package io.ringkernel.sample.stream;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.ringkernel.models.Model;
import io.ringkernel.sample.stream.kernel.CardRequest;
import io.ringkernel.sample.stream.kernel.CardResponse;
import io.ringkernel.sample.stream.kernel.FraudModel;
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

	private final FraudModel model;

	private final Outputs outputs;

	private final CardMeters meters;

	TransactionListener(TransactionReader reader, PartitionStates states,
			Function<List<CardRequest>, List<CardResponse>> scoring, FraudModel model, Outputs outputs,
			CardMeters meters) {
		this.reader = reader;
		this.states = states;
		this.scoring = scoring;
		this.model = model;
		this.outputs = outputs;
		this.meters = meters;
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
		Scored scored = score(records, scorables);
		List<CardResponse> responses = scored.responses();
		List<CardScore> scores = new ArrayList<>(responses.size());
		Map<Long, KeptFeatures> latest = new LinkedHashMap<>();
		for (int i = 0; i < responses.size(); i++) {
			CardTransaction transaction = scorables.get(i).transaction();
			ReceivedRecord received = scorables.get(i).received();
			CardResponse response = responses.get(i);
			switch (response.outcome()) {
				case DONE -> {
					scores.add(new CardScore(transaction.id(), transaction.card(), scored.score(response.margin()),
							response.features().count(), scored.stamp()));
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
		scores.forEach(this.outputs::score);
		latest.values().forEach(this.outputs::features);
		rejected.forEach(this.outputs::reject);
		this.meters.countOnCommit(scores, rejected.size());
	}

	/**
	 * Scores once more if the kernel has lost its state. Nothing is written yet, so the
	 * committed features are still those before these records.
	 */
	private Scored score(List<ReceivedRecord> records, List<Scorable> scorables) {
		Scored scored = score(this.states.begin(records), scorables);
		if (scored.responses().stream().anyMatch((response) -> response.outcome() == Outcome.STALE)) {
			this.states.lost();
			this.model.restore();
			scored = score(this.states.begin(records), scorables);
		}
		return scored;
	}

	private Scored score(Map<Integer, Long> epochs, List<Scorable> scorables) {
		return this.model.score((model) -> {
			long stamp = model.image().stamp();
			return new Scored(model,
					this.scoring.apply(scorables.stream().map((scorable) -> scorable.request(epochs, stamp)).toList()));
		});
	}

	/**
	 * A record with the transaction that it contains.
	 */
	private record Scorable(ReceivedRecord received, CardTransaction transaction) {

		CardRequest request(Map<Integer, Long> epochs, long model) {
			return CardRequest.score(this.received.partition(), epochs.getOrDefault(this.received.partition(), 0L),
					this.transaction.card(), this.transaction.amount(), this.transaction.latitude(),
					this.transaction.longitude(), model);
		}

	}

	/**
	 * What the kernel answered, and the model by which.
	 */
	private record Scored(Model model, List<CardResponse> responses) {

		float score(float margin) {
			return this.model.objective().predictions(new float[] { margin }, 1)[0];
		}

		String stamp() {
			return Long.toHexString(this.model.image().stamp());
		}

	}

}
