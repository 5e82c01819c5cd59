package io.ringkernel.models.kernel;

import io.ringkernel.Capacity;

/**
 * What the kernel answers.
 *
 * @param isStale whether the half has another image than the request is for
 * @param margins the margins, row by row
 * @since 0.2.0
 */
public record ScoreResponse(boolean isStale, @Capacity(ScoreResponse.MAX_MARGINS) float[] margins) {

	/** The most margins of a response, over all rows. */
	public static final int MAX_MARGINS = 1 << 15;

}
