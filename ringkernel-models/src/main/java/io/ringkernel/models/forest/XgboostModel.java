package io.ringkernel.models.forest;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes an ensemble of a model of XGBoost: trees of the booster {@code gbtree}, with
 * numerical and categorical splits.
 */
final class XgboostModel {

	private static final int OLDEST = 1;

	private static final int NEWEST = 3;

	/** The first version whose {@code binary:logitraw} has a margin as its base score. */
	private static final int[] RAW_BASE_SCORES = { 1, 4 };

	/** The first version that keeps a base score off 0 and 1. */
	private static final int[] BOUNDED_PROBABILITIES = { 3, 2 };

	private static final float LEAST_PROBABILITY = 1e-6f;

	/** The first version that sorts the predictions of several quantiles. */
	private static final int[] SORTED_QUANTILES = { 3, 4 };

	private static final int CATEGORICAL = 1;

	/** What makes a margin of a base score: nothing, its logit, or its logarithm. */
	private static final Map<String, Link> OBJECTIVES = new TreeMap<>();

	static {
		Link.IDENTITY.addTo(OBJECTIVES, "reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:pseudohubererror",
				"reg:absoluteerror", "reg:quantileerror", "binary:logitraw", "rank:pairwise", "rank:ndcg", "rank:map");
		Link.LOGISTIC.addTo(OBJECTIVES, "binary:logistic", "reg:logistic");
		Link.EXPONENTIAL.addTo(OBJECTIVES, "count:poisson", "reg:gamma", "reg:tweedie");
		Link.SOFTMAX.addTo(OBJECTIVES, "multi:softprob");
		Link.GREATEST.addTo(OBJECTIVES, "multi:softmax");
	}

	private XgboostModel() {
	}

	static Forest forest(ModelDocument document) {
		int[] version = version(document);
		ModelDocument learner = document.object("learner");
		String objective = learner.object("objective").text("name");
		Link link = OBJECTIVES.get(objective);
		if (link == null) {
			throw new InvalidModelException("learner.objective.name is '%s'. Use one of %s.".formatted(objective,
					String.join(", ", OBJECTIVES.keySet())));
		}
		ModelDocument booster = learner.object("gradient_booster");
		String name = booster.text("name");
		if (!name.equals("gbtree")) {
			throw new InvalidModelException(
					"learner.gradient_booster.name is '%s'. Train with the booster gbtree.".formatted(name));
		}
		ModelDocument parameters = learner.object("learner_model_param");
		int features = parameters.integer("num_feature");
		int targets = parameters.has("num_target") ? parameters.integer("num_target") : 1;
		int groups = Math.max(Math.max(1, targets), parameters.integer("num_class"));
		ModelDocument model = booster.object("model");
		refuseWeights(booster);
		refuseWeights(model);
		if (groups > 1 && objective.equals("reg:quantileerror") && isSince(version, SORTED_QUANTILES)) {
			throw new InvalidModelException(
					"learner.objective.name is '%s', with %d quantiles, which XGBoost %s sorts. Train a model for each quantile."
						.formatted(objective, groups, text(version)));
		}
		List<DecisionTree> trees = model.objects("trees").stream().map(XgboostModel::tree).toList();
		float[] bases = baseScores(parameters, groups);
		for (int group = 0; group < groups; group++) {
			bases[group] = margin(bases[group], linkOfBase(objective, link, version), version);
		}
		return new Forest(Library.XGBOOST, "XGBoost " + text(version), new Objective(objective, link), features, bases,
				trees, model.integers("tree_info"));
	}

	private static int[] version(ModelDocument document) {
		int[] version = document.integers("version");
		if (version.length == 0 || version[0] < OLDEST || version[0] > NEWEST) {
			throw new InvalidModelException("version is '%s'. Save the model with XGBoost %d.x to %d.x."
				.formatted(text(version), OLDEST, NEWEST));
		}
		return version;
	}

	private static String text(int[] version) {
		return Arrays.stream(version).mapToObj(String::valueOf).collect(Collectors.joining("."));
	}

	private static boolean isSince(int[] version, int[] first) {
		return Arrays.compare(version, first) >= 0;
	}

	/** Since 3.3, a model of dart is one of gbtree whose trees have weights. */
	private static void refuseWeights(ModelDocument owner) {
		if (owner.has("weight_drop")) {
			for (float weight : owner.floats("weight_drop")) {
				if (weight != 1) {
					throw new InvalidModelException(
							"%s has the weight %s. Train with the booster gbtree without dropout."
								.formatted(owner.pathOf("weight_drop"), weight));
				}
			}
		}
	}

	/** Since version 3.1, a list with a base score for each group. */
	private static float[] baseScores(ModelDocument parameters, int groups) {
		String text = parameters.text("base_score");
		String[] numbers = (text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text)
			.split(",", -1);
		float[] scores = new float[groups];
		try {
			if (numbers.length != 1 && numbers.length != groups) {
				throw new NumberFormatException("%d numbers".formatted(numbers.length));
			}
			for (int group = 0; group < groups; group++) {
				scores[group] = Float.parseFloat(numbers[group % numbers.length].trim());
			}
			return scores;
		}
		catch (NumberFormatException ex) {
			throw new InvalidModelException(
					"%s is '%s'. Use a model with one number, or one for each of its %d outputs."
						.formatted(parameters.pathOf("base_score"), text, groups),
					ex);
		}
	}

	/** Before 1.4, the base score of raw margins is a probability all the same. */
	private static Link linkOfBase(String objective, Link link, int[] version) {
		return (objective.equals("binary:logitraw") && !isSince(version, RAW_BASE_SCORES)) ? Link.LOGISTIC : link;
	}

	/** Since version 3.2, XGBoost keeps a probability off 0 and 1. */
	private static float margin(float base, Link link, int[] version) {
		if (link == Link.EXPONENTIAL) {
			return (float) StrictMath.log(base);
		}
		if (link != Link.LOGISTIC) {
			return base;
		}
		float probability = isSince(version, BOUNDED_PROBABILITIES)
				? Math.min(Math.max(base, LEAST_PROBABILITY), 1 - LEAST_PROBABILITY) : base;
		return -(float) StrictMath.log(1 / probability - 1);
	}

	private static DecisionTree tree(ModelDocument tree) {
		if (tree.has("tree_param") && tree.object("tree_param").has("size_leaf_vector")
				&& tree.object("tree_param").integer("size_leaf_vector") > 1) {
			throw new InvalidModelException(
					"%s is above 1: a leaf has several values. Train with multi_strategy one_output_per_tree."
						.formatted(tree.pathOf("tree_param.size_leaf_vector")));
		}
		int[] first = tree.integers("left_children");
		int size = first.length;
		int[] second = tree.integers("right_children", size);
		// A pruned node stays in the file, as a leaf that splits by no feature there is.
		int[] features = tree.integers("split_indices", size, (node) -> first[node] >= 0);
		float[] thresholds = tree.floats("split_conditions", size);
		float[] defaultLeft = tree.floats("default_left", size);
		double[] values = new double[size];
		boolean[] missingToFirst = new boolean[size];
		for (int node = 0; node < size; node++) {
			values[node] = thresholds[node];
			missingToFirst[node] = defaultLeft[node] != 0;
		}
		Map<Integer, BitSet> categories = categories(tree, size);
		for (int node : categories.keySet()) {
			// A category of the set goes to the right.
			int left = first[node];
			first[node] = second[node];
			second[node] = left;
			missingToFirst[node] = defaultLeft[node] == 0;
		}
		return new DecisionTree(first, second, features, values, missingToFirst, new boolean[size], categories);
	}

	private static Map<Integer, BitSet> categories(ModelDocument tree, int size) {
		Map<Integer, BitSet> sets = new HashMap<>();
		if (!tree.has("split_type")) {
			return sets;
		}
		int[] types = tree.integers("split_type", size);
		if (Arrays.stream(types).noneMatch((type) -> type == CATEGORICAL)) {
			return sets;
		}
		int[] nodes = tree.integers("categories_nodes");
		int[] segments = tree.integers("categories_segments", nodes.length);
		int[] sizes = tree.integers("categories_sizes", nodes.length);
		int[] categories = tree.integers("categories");
		for (int i = 0; i < nodes.length; i++) {
			if (nodes[i] < 0 || nodes[i] >= size || segments[i] < 0 || sizes[i] < 0
					|| segments[i] > categories.length - sizes[i]) {
				throw new InvalidModelException(
						"%s[%d] names node %d and categories %d to %d of %d.".formatted(tree.pathOf("categories_nodes"),
								i, nodes[i], segments[i], segments[i] + sizes[i], categories.length));
			}
			BitSet set = new BitSet();
			for (int at = segments[i]; at < segments[i] + sizes[i]; at++) {
				if (categories[at] < 0) {
					throw new InvalidModelException("%s[%d] is %d, and not a category from 0."
						.formatted(tree.pathOf("categories"), at, categories[at]));
				}
				set.set(categories[at]);
			}
			sets.put(nodes[i], set);
		}
		return sets;
	}

}
