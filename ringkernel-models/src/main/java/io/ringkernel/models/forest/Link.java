package io.ringkernel.models.forest;

import java.util.Map;

/**
 * What an objective makes of the margins of a row.
 *
 * @since 0.2.0
 */
public enum Link {

	/** The margins themselves. */
	IDENTITY,

	/** The probability of the positive class: {@code 1 / (1 + exp(-margin))}. */
	LOGISTIC,

	/** {@code exp(margin)}. */
	EXPONENTIAL,

	/** The probability of each class. */
	SOFTMAX,

	/** The class with the greatest margin, from 0; the first one of several. */
	GREATEST;

	/** What makes {@code exp} of a float finite, as XGBoost bounds it. */
	private static final float MAX_EXPONENT = 88.7f;

	/** Adds the objectives that have this link to the links of a library's objectives. */
	void addTo(Map<String, Link> links, String... objectives) {
		for (String objective : objectives) {
			links.put(objective, this);
		}
	}

	int outputs(int groups) {
		return (this == GREATEST) ? 1 : groups;
	}

	float[] predictions(float[] margins, int groups) {
		int outputs = outputs(groups);
		float[] predictions = new float[margins.length / groups * outputs];
		for (int row = 0; row < margins.length / groups; row++) {
			predict(margins, row * groups, groups, predictions, row * outputs);
		}
		return predictions;
	}

	private void predict(float[] margins, int from, int groups, float[] predictions, int to) {
		switch (this) {
			case IDENTITY -> System.arraycopy(margins, from, predictions, to, groups);
			case LOGISTIC -> {
				for (int i = 0; i < groups; i++) {
					predictions[to + i] = 1 / (exp(Math.min(-margins[from + i], MAX_EXPONENT)) + 1);
				}
			}
			case EXPONENTIAL -> {
				for (int i = 0; i < groups; i++) {
					predictions[to + i] = exp(margins[from + i]);
				}
			}
			case SOFTMAX -> softmax(margins, from, groups, predictions, to);
			case GREATEST -> predictions[to] = greatest(margins, from, groups);
		}
	}

	private static void softmax(float[] margins, int from, int groups, float[] predictions, int to) {
		float max = margins[from + greatest(margins, from, groups)];
		double sum = 0;
		for (int i = 0; i < groups; i++) {
			predictions[to + i] = exp(margins[from + i] - max);
			sum += predictions[to + i];
		}
		for (int i = 0; i < groups; i++) {
			predictions[to + i] /= (float) sum;
		}
	}

	private static int greatest(float[] margins, int from, int groups) {
		int greatest = 0;
		for (int i = 1; i < groups; i++) {
			if (margins[from + i] > margins[from + greatest]) {
				greatest = i;
			}
		}
		return greatest;
	}

	private static float exp(float x) {
		return (float) StrictMath.exp(x);
	}

}
