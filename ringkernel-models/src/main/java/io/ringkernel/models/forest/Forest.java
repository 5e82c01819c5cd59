package io.ringkernel.models.forest;

import java.util.List;

/**
 * An ensemble of trees. The margin of a group is its base score, to which each tree of
 * the group adds the value of the leaf that a row comes to, one tree after another.
 *
 * @param library whose rules apply
 * @param format what wrote the model, such as {@code XGBoost 2.1.4}
 * @param objective what makes predictions of margins
 * @param features how many features a row has
 * @param baseScores the base score of each group
 * @param trees the trees, in the order in which they are added
 * @param groups the group of each tree
 * @since 0.2.0
 */
public record Forest(Library library, String format, Objective objective, int features, float[] baseScores,
		List<DecisionTree> trees, int[] groups) {
}
