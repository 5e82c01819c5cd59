package io.ringkernel.sample.stream.kernel;

/**
 * A response of {@link CardScoring}.
 *
 * @param outcome what became of the request
 * @param score how unusual the transaction is, from 0; 0 for the first one of a card
 * @param features what is kept of the card now
 */
public record CardResponse(Outcome outcome, float score, CardFeatures features) {
}
