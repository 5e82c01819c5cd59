package io.ringkernel.models.forest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;

/**
 * Makes a tree of its section in a model of LightGBM. Nodes are the splits, and the
 * leaves behind them. LightGBM compares doubles, {@code feature <= threshold}, and takes
 * a feature whose absolute value is at most {@link DecisionTree#ZERO} for 0. For each
 * threshold there is a float below which lie the same floats.
 */
final class LightgbmTree {

	private static final int CATEGORICAL = 1;

	private static final int MISSING_TO_LEFT = 2;

	private static final int MISSING_TYPE_SHIFT = 2;

	/** A missing feature counts as 0. */
	private static final int NONE = 0;

	private static final int ZERO = 1;

	private static final int NAN = 2;

	private final TextSection section;

	private final int splits;

	private final DecisionTree tree;

	private LightgbmTree(TextSection section, double[] leaves) {
		int size = 2 * leaves.length - 1;
		this.section = section;
		this.splits = leaves.length - 1;
		this.tree = new DecisionTree(new int[size], new int[size], new int[size], new double[size], new boolean[size],
				new boolean[size], new HashMap<>());
		Arrays.fill(this.tree.first(), -1);
		Arrays.fill(this.tree.second(), -1);
		System.arraycopy(leaves, 0, this.tree.values(), this.splits, leaves.length);
	}

	static DecisionTree of(TextSection section) {
		if (section.has("is_linear") && section.integer("is_linear") != 0) {
			throw section.refused("is_linear", section.text("is_linear"),
					"Train with linear_tree=false, so that a leaf has one value.");
		}
		int leaves = section.integer("num_leaves");
		if (leaves < 1) {
			throw section.refused("num_leaves", leaves, "A tree has 1 leaf or more. The file is damaged.");
		}
		LightgbmTree tree = new LightgbmTree(section, section.doubles("leaf_value", leaves));
		if (leaves > 1) {
			tree.split();
		}
		return tree.tree;
	}

	private void split() {
		int[] left = this.section.integers("left_child", this.splits);
		int[] right = this.section.integers("right_child", this.splits);
		int[] split = this.section.integers("split_feature", this.splits);
		double[] thresholds = this.section.doubles("threshold", this.splits);
		int[] types = this.section.integers("decision_type", this.splits);
		BitSet[] sets = sets();
		for (int node = 0; node < this.splits; node++) {
			this.tree.first()[node] = child("left_child", node, left[node]);
			this.tree.second()[node] = child("right_child", node, right[node]);
			this.tree.features()[node] = split[node];
			if ((types[node] & CATEGORICAL) != 0) {
				this.tree.categories().put(node, set(node, thresholds[node], sets));
			}
			else {
				this.tree.values()[node] = threshold(thresholds[node]);
				missing(node, types[node], thresholds[node]);
				if (thresholds[node] == Double.POSITIVE_INFINITY) {
					turn(node);
				}
			}
		}
	}

	private int child(String name, int node, int child) {
		if (child >= this.splits || child < -this.splits - 1) {
			throw this.section.refused(name + "[" + node + "]", child,
					"The tree has splits from 0 to %d, and leaves from %d to -1. The file is damaged."
						.formatted(this.splits - 1, -this.splits - 1));
		}
		return (child < 0) ? this.splits + ~child : child;
	}

	private void missing(int node, int type, double threshold) {
		int missing = type >> MISSING_TYPE_SHIFT;
		if (missing < NONE || missing > NAN) {
			throw this.section.refused("decision_type[" + node + "]", type,
					"Its missing type must be %d, %d or %d. The file is damaged.".formatted(NONE, ZERO, NAN));
		}
		this.tree.zeroIsMissing()[node] = missing == ZERO;
		this.tree.missingToFirst()[node] = (missing == NONE) ? 0 <= threshold : (type & MISSING_TO_LEFT) != 0;
	}

	/** All floats are at most infinity, and not all less than a float. None is less. */
	private void turn(int node) {
		int left = this.tree.first()[node];
		this.tree.first()[node] = this.tree.second()[node];
		this.tree.second()[node] = left;
		this.tree.values()[node] = Float.NEGATIVE_INFINITY;
		this.tree.missingToFirst()[node] = !this.tree.missingToFirst()[node];
	}

	private BitSet set(int node, double index, BitSet[] sets) {
		if (!(index >= 0 && index < sets.length)) {
			throw this.section.refused("threshold[" + node + "]", index,
					"The tree has %d sets of categories. The file is damaged.".formatted(sets.length));
		}
		return sets[(int) index];
	}

	private BitSet[] sets() {
		int count = this.section.integer("num_cat");
		if (count == 0) {
			return new BitSet[0];
		}
		if (count < 0 || count > this.splits) {
			throw this.section.refused("num_cat", count,
					"The tree has %d splits, and at most a set of categories for each.".formatted(this.splits));
		}
		int[] boundaries = this.section.integers("cat_boundaries", count + 1);
		int[] words = this.section.unsigned("cat_threshold", boundaries[count]);
		BitSet[] sets = new BitSet[count];
		for (int i = 0; i < count; i++) {
			if (boundaries[i] < 0 || boundaries[i] > boundaries[i + 1] || boundaries[i + 1] > words.length) {
				throw this.section.refused("cat_boundaries[" + i + "]", boundaries[i],
						"The next one is %d, and the last %d. The file is damaged.".formatted(boundaries[i + 1],
								words.length));
			}
			ByteBuffer bits = ByteBuffer.allocate((boundaries[i + 1] - boundaries[i]) * Integer.BYTES)
				.order(ByteOrder.LITTLE_ENDIAN);
			bits.asIntBuffer().put(words, boundaries[i], boundaries[i + 1] - boundaries[i]);
			sets[i] = BitSet.valueOf(bits);
		}
		return sets;
	}

	/**
	 * The float {@code t} for which {@code f < t} if and only if {@code f <= threshold},
	 * for every float {@code f}, with those that count as 0 as 0. There is none for
	 * infinity.
	 */
	static float threshold(double threshold) {
		if (threshold >= 0 && threshold <= DecisionTree.ZERO) {
			return Math.nextUp(DecisionTree.ZERO);
		}
		if (threshold < 0 && threshold >= -DecisionTree.ZERO) {
			return -DecisionTree.ZERO;
		}
		float nearest = (float) threshold;
		return Math.nextUp((nearest > threshold) ? Math.nextDown(nearest) : nearest);
	}

}
