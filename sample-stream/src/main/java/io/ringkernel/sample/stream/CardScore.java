package io.ringkernel.sample.stream;

/**
 * The score of a transaction, as JSON in the topic of the scores.
 *
 * @param transaction the number of the transaction
 * @param card the number of the card
 * @param score how unusual it is, from 0
 * @param count its number among those of its card, from 1
 */
public record CardScore(long transaction, long card, float score, int count) {
}
