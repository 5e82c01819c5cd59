package io.ringkernel.sample.stream;

/**
 * The score of a transaction, as JSON in the topic {@code scores}.
 *
 * @param transaction the number of the transaction
 * @param card the number of the card
 * @param score how unusual it is, from 0
 * @param count the how manieth of its card it is, from 1
 */
public record CardScore(long transaction, long card, float score, int count) {
}
