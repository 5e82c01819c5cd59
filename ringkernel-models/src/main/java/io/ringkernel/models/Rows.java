package io.ringkernel.models;

import io.ringkernel.Capacity;
import io.ringkernel.models.kernel.ScoreRequest;

/**
 * A message to the function of a model.
 *
 * @param features the features of one or more rows, row by row; {@code NaN} is a missing
 * feature
 * @since 0.2.0
 */
public record Rows(@Capacity(ScoreRequest.MAX_FLOATS) float[] features) {
}
