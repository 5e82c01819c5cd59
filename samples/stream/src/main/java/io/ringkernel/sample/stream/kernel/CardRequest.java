package io.ringkernel.sample.stream.kernel;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelKey;
import io.ringkernel.models.kernel.ScoreRequest;

/**
 * A request to {@link CardScoring}.
 *
 * @param operation what to do
 * @param partition the partition of the card, from 0. Requests of a partition are handled
 * in the order in which they are sent, also by a kernel with replicas
 * @param epoch the epoch of the partition
 * @param card the number of the card, above 0
 * @param amount the amount of the transaction to score
 * @param features what to store of the card; of a transaction to score, its place
 * @param model the stamp of the model to score by; of words of a model, what is in place
 * of the stamp
 * @param offset where words of a model are stored
 * @param words words of a model
 */
public record CardRequest(Operation operation, @RingKernelKey int partition, long epoch, long card, float amount,
		CardFeatures features, long model, int offset, @Capacity(CardRequest.MAX_WORDS) long[] words) {

	/** Few: each slot of the ring has room for them, and most requests have none. */
	static final int MAX_WORDS = 64;

	private static final CardFeatures NONE = new CardFeatures(0, 0, 0, 0);

	private static final long[] NO_WORDS = {};

	/** A request that clears a partition. */
	public static CardRequest clear(int partition, long epoch) {
		return new CardRequest(Operation.CLEAR, partition, epoch, 0, 0, NONE, 0, 0, NO_WORDS);
	}

	/** A request that stores the features of a card. */
	public static CardRequest load(int partition, long epoch, long card, CardFeatures features) {
		return new CardRequest(Operation.LOAD_CARD, partition, epoch, card, 0, features, 0, 0, NO_WORDS);
	}

	/** A request that scores a transaction. */
	public static CardRequest score(int partition, long epoch, long card, float amount, float latitude, float longitude,
			long model) {
		return new CardRequest(Operation.SCORE, partition, epoch, card, amount,
				new CardFeatures(0, 0, latitude, longitude), model, 0, NO_WORDS);
	}

	/** A request that stores words of a model. */
	static CardRequest load(ScoreRequest words) {
		return new CardRequest(Operation.LOAD_MODEL, 0, 0, 0, 0, NONE, words.stamp(), words.offset(), words.words());
	}

}
