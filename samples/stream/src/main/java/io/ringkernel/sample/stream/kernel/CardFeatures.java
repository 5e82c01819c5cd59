package io.ringkernel.sample.stream.kernel;

/**
 * What is kept of a card.
 *
 * @param count how many of its transactions were scored
 * @param average the exponential average of their amounts
 * @param latitude that of the latest transaction, in degrees
 * @param longitude that of the latest transaction, in degrees
 */
public record CardFeatures(int count, float average, float latitude, float longitude) {
}
