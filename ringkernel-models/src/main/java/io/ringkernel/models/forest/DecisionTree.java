package io.ringkernel.models.forest;

import java.util.BitSet;
import java.util.Map;

/**
 * A tree of an ensemble. Node 0 is its root. A row goes from a split to its first child
 * if the feature is less than the threshold, or if the feature is a category of the set.
 *
 * @param first the first child of each node; -1 for a leaf
 * @param second the second child of each node
 * @param features the feature that each split compares
 * @param values the threshold of each split, which is a float, and what each leaf adds to
 * the margin
 * @param missingToFirst whether a missing feature goes to the first child
 * @param zeroIsMissing whether a feature of at most {@link #ZERO} is missing like
 * {@code NaN}
 * @param categories the set of each split by categories
 * @since 0.2.0
 */
public record DecisionTree(int[] first, int[] second, int[] features, double[] values, boolean[] missingToFirst,
		boolean[] zeroIsMissing, Map<Integer, BitSet> categories) {

	/** The absolute value up to which LightGBM takes a feature for 0. */
	public static final float ZERO = 1e-35f;

	/**
	 * {@return whether a node has no children}
	 * @param node the number of the node
	 */
	public boolean isLeaf(int node) {
		return this.first[node] < 0;
	}

}
