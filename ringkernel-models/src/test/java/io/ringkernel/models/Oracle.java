package io.ringkernel.models;

import io.ringkernel.models.forest.Forest;

/**
 * A model that a library has trained, and what that library predicts.
 */
public interface Oracle {

	float[] rows(int rows, long seed);

	float[] margins(float[] rows);

	float[] predictions(float[] rows);

	Forest forest();

}
