package io.ringkernel.sample.stream;

/**
 * The score of a transaction, as JSON in the topic of the scores.
 *
 * @param transaction the number of the transaction
 * @param card the number of the card
 * @param score how likely it is fraudulent, from 0 to 1
 * @param count its number among those of its card, from 1
 * @param model the stamp of the model that the score was made by
 */
public record CardScore(long transaction, long card, float score, int count, String model) {
}
