package io.ringkernel.models;

import io.ringkernel.Capacity;
import io.ringkernel.models.kernel.ScoreResponse;

/**
 * What the function of a model answers.
 *
 * @param scores the predictions, row by row
 * @since 0.2.0
 */
public record Scores(@Capacity(ScoreResponse.MAX_MARGINS) float[] scores) {
}
