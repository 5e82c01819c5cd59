package io.ringkernel.sample.stream.kernel;

/**
 * What a request asks of the kernel.
 */
public enum Operation {

	/** Forgets all cards of a partition, and gives the partition a new epoch. */
	CLEAR,

	/** Stores the features of a card. */
	LOAD_CARD,

	/** Scores a transaction, and updates the features of its card. */
	SCORE,

	/** Stores words of the model. */
	LOAD_MODEL

}
