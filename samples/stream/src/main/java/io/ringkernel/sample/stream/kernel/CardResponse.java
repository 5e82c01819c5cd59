package io.ringkernel.sample.stream.kernel;

/**
 * A response of {@link CardScoring}.
 *
 * @param outcome what became of the request
 * @param margin the sum of the model's leaves for the transaction
 * @param features what is kept of the card now
 */
public record CardResponse(Outcome outcome, float margin, CardFeatures features) {
}
