package io.ringkernel.sample.stream;

/**
 * A transaction, as JSON in the topic {@code transactions}.
 *
 * @param id its number
 * @param card the number of the card, above 0
 * @param amount what was paid, above 0
 * @param latitude where, in degrees
 * @param longitude where, in degrees
 */
public record CardTransaction(long id, long card, float amount, float latitude, float longitude) {
}
