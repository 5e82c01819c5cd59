package io.ringkernel.sample.stream.kernel;

import io.ringkernel.RingKernelKey;

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
 */
public record CardRequest(Operation operation, @RingKernelKey int partition, long epoch, long card, float amount,
		CardFeatures features) {

	private static final CardFeatures NONE = new CardFeatures(0, 0, 0, 0);

	/**
	 * A request that clears a partition.
	 */
	public static CardRequest clear(int partition, long epoch) {
		return new CardRequest(Operation.CLEAR, partition, epoch, 0, 0, NONE);
	}

	/**
	 * A request that stores the features of a card.
	 */
	public static CardRequest load(int partition, long epoch, long card, CardFeatures features) {
		return new CardRequest(Operation.LOAD, partition, epoch, card, 0, features);
	}

	/**
	 * A request that scores a transaction.
	 */
	public static CardRequest score(int partition, long epoch, long card, float amount, float latitude,
			float longitude) {
		return new CardRequest(Operation.SCORE, partition, epoch, card, amount,
				new CardFeatures(0, 0, latitude, longitude));
	}

}
