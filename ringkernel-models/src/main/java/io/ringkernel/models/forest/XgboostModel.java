package io.ringkernel.models.forest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Makes an ensemble of a model of XGBoost: trees of the booster {@code gbtree}, with
 * numerical and categorical splits.
 */
final class XgboostModel {

	private static final int OLDEST = 1;

	private static final int NEWEST = 3;

	private static final int CATEGORICAL = 1;

	/** What makes a margin of a base score: nothing, its logit, or its logarithm. */
	private static final Map<String, Link> OBJECTIVES = objectives();

	private XgboostModel() {
	}

	private static Map<String, Link> objectives() {
		Map<String, Link> objectives = new HashMap<>();
		List.of("reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:pseudohubererror", "reg:absoluteerror",
				"reg:quantileerror", "binary:logitraw", "rank:pairwise", "rank:ndcg", "rank:map")
			.forEach((name) -> objectives.put(name, Link.IDENTITY));
		List.of("binary:logistic", "reg:logistic").forEach((name) -> objectives.put(name, Link.LOGISTIC));
		List.of("count:poisson", "reg:gamma", "reg:tweedie").forEach((name) -> objectives.put(name, Link.EXPONENTIAL));
		objectives.put("multi:softprob", Link.SOFTMAX);
		objectives.put("multi:softmax", Link.GREATEST);
		return objectives;
	}

	static Forest forest(ModelDocument document) {
		String version = version(document);
		ModelDocument learner = document.object("learner");
		String objective = learner.object("objective").text("name");
		Link link = OBJECTIVES.get(objective);
		if (link == null) {
			throw new InvalidModelException("learner.objective.name is '%s'. Use one of %s.".formatted(objective,
					OBJECTIVES.keySet().stream().sorted().collect(Collectors.joining(", "))));
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
		float base = margin(baseScore(parameters), link);
		ModelDocument model = booster.object("model");
		List<DecisionTree> trees = new ArrayList<>();
		for (ModelDocument tree : model.objects("trees")) {
			trees.add(tree(tree));
		}
		float[] bases = new float[groups];
		Arrays.fill(bases, base);
		return new Forest(Library.XGBOOST, "XGBoost " + version, new Objective(objective, link), features, bases, trees,
				model.integers("tree_info"));
	}

	private static String version(ModelDocument document) {
		int[] version = document.integers("version");
		String text = Arrays.stream(version).mapToObj(String::valueOf).collect(Collectors.joining("."));
		if (version.length == 0 || version[0] < OLDEST || version[0] > NEWEST) {
			throw new InvalidModelException(
					"version is '%s'. Save the model with XGBoost %d.x to %d.x.".formatted(text, OLDEST, NEWEST));
		}
		return text;
	}

	/** Version 3.1 and later write a list with a base score for each group. */
	private static float baseScore(ModelDocument parameters) {
		String text = parameters.text("base_score");
		String number = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
		try {
			return Float.parseFloat(number);
		}
		catch (NumberFormatException ex) {
			throw new InvalidModelException(
					"%s is '%s'. Use a model with one number.".formatted(parameters.pathOf("base_score"), text), ex);
		}
	}

	private static float margin(float base, Link link) {
		if (link == Link.EXPONENTIAL) {
			return (float) StrictMath.log(base);
		}
		return (link == Link.LOGISTIC) ? -(float) StrictMath.log(1 / base - 1) : base;
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
		int[] second = sized(tree, "right_children", tree.integers("right_children"), size);
		int[] features = sized(tree, "split_indices", tree.integers("split_indices"), size);
		float[] thresholds = tree.floats("split_conditions");
		float[] defaultLeft = tree.floats("default_left");
		if (thresholds.length != size || defaultLeft.length != size) {
			throw differs(tree, (thresholds.length != size) ? "split_conditions" : "default_left",
					(thresholds.length != size) ? thresholds.length : defaultLeft.length, size);
		}
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
		int[] types = sized(tree, "split_type", tree.integers("split_type"), size);
		if (Arrays.stream(types).noneMatch((type) -> type == CATEGORICAL)) {
			return sets;
		}
		int[] nodes = tree.integers("categories_nodes");
		int[] segments = sized(tree, "categories_segments", tree.integers("categories_segments"), nodes.length);
		int[] sizes = sized(tree, "categories_sizes", tree.integers("categories_sizes"), nodes.length);
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

	private static int[] sized(ModelDocument document, String name, int[] values, int size) {
		if (values.length != size) {
			throw differs(document, name, values.length, size);
		}
		return values;
	}

	private static InvalidModelException differs(ModelDocument document, String name, int length, int size) {
		return new InvalidModelException(
				"%s has %d elements, and not %d. The file is damaged.".formatted(document.pathOf(name), length, size));
	}

}
