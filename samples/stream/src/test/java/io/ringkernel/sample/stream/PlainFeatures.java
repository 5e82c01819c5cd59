package io.ringkernel.sample.stream;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Makes rows of transactions, which are to come in their order, by plain Java.
 */
final class PlainFeatures {

	private final Map<Long, Card> cards = new HashMap<>();

	/**
	 * The features of a transaction, and of its card before.
	 */
	float[] row(CardTransaction transaction) {
		Card card = this.cards.get(transaction.card());
		this.cards.put(transaction.card(), next(card, transaction));
		if (card == null) {
			return new float[] { transaction.amount(), 0, Float.NaN, Float.NaN, Float.NaN };
		}
		float north = transaction.latitude() - card.latitude;
		float east = transaction.longitude() - card.longitude;
		return new float[] { transaction.amount(), card.count, card.average, transaction.amount() / card.average,
				(float) Math.sqrt(north * north + east * east) };
	}

	private static Card next(@Nullable Card card, CardTransaction transaction) {
		return new Card((card != null) ? card.count + 1 : 1,
				(card != null) ? card.average + 0.1f * (transaction.amount() - card.average) : transaction.amount(),
				transaction.latitude(), transaction.longitude());
	}

	/**
	 * The number of the latest transaction among those of its card.
	 */
	int count(long card) {
		Card known = this.cards.get(card);
		return (known != null) ? known.count : 0;
	}

	private record Card(int count, float average, float latitude, float longitude) {
	}

}
