package io.ringkernel.sample.stream;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

/**
 * Scores transactions one after another, by plain Java.
 */
class Oracle {

	private final Map<Long, Card> cards = new HashMap<>();

	/**
	 * Compares scores with those of an oracle.
	 * @param actual the scores by the numbers of the transactions
	 * @return how the two differ, ten transactions at most
	 */
	static List<String> differences(Workload workload, long count, Map<Long, CardScore> actual) {
		Map<Long, CardScore> expected = scores(workload, count);
		return LongStream.range(0, count)
			.filter((id) -> !Objects.equals(expected.get(id), actual.get(id)))
			.limit(10)
			.mapToObj((id) -> "%s, in place of %s".formatted(actual.get(id), expected.get(id)))
			.toList();
	}

	/**
	 * The scores of a workload, by the numbers of the transactions.
	 */
	private static Map<Long, CardScore> scores(Workload workload, long count) {
		Oracle oracle = new Oracle();
		Map<Long, CardScore> scores = new HashMap<>();
		LongStream.range(0, count).forEach((id) -> {
			CardTransaction transaction = workload.transaction(id);
			if (transaction != null) {
				scores.put(id, oracle.score(transaction));
			}
		});
		return scores;
	}

	CardScore score(CardTransaction transaction) {
		@Nullable Card card = this.cards.get(transaction.card());
		if (card == null) {
			this.cards.put(transaction.card(),
					new Card(1, transaction.amount(), transaction.latitude(), transaction.longitude()));
			return new CardScore(transaction.id(), transaction.card(), 0, 1);
		}
		float off = Math.abs(transaction.amount() - card.average) / card.average;
		float north = transaction.latitude() - card.latitude;
		float east = transaction.longitude() - card.longitude;
		float average = card.average + 0.1f * (transaction.amount() - card.average);
		this.cards.put(transaction.card(),
				new Card(card.count + 1, average, transaction.latitude(), transaction.longitude()));
		return new CardScore(transaction.id(), transaction.card(), off + (float) Math.sqrt(north * north + east * east),
				card.count + 1);
	}

	private record Card(int count, float average, float latitude, float longitude) {
	}

}
