package io.ringkernel.models.kernel;

/**
 * What a request asks for.
 *
 * @since 0.2.0
 */
public enum ScoreOperation {

	/** The margins of rows. */
	SCORE,

	/** To store words of an image. */
	LOAD

}
