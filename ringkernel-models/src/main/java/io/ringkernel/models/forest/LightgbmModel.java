package io.ringkernel.models.forest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the text of a model of LightGBM: a header, and a section for each tree.
 */
final class LightgbmModel {

	private static final List<String> VERSIONS = List.of("v3", "v4");

	private static final List<String> BEGINNINGS = List.of("tree\n", "tree\r", "version=v");

	private static final String TREE = "Tree=";

	private static final String SIGMOID = "sigmoid:";

	private static final String END = "end of trees";

	private static final Map<String, Link> OBJECTIVES = new TreeMap<>();

	static {
		Link.IDENTITY.addTo(OBJECTIVES, "regression", "regression_l1", "huber", "fair", "quantile", "mape",
				"lambdarank", "rank_xendcg");
		Link.EXPONENTIAL.addTo(OBJECTIVES, "poisson", "gamma", "tweedie");
		Link.LOGISTIC.addTo(OBJECTIVES, "binary", "multiclassova", "cross_entropy");
		Link.SOFTMAX.addTo(OBJECTIVES, "multiclass");
	}

	private LightgbmModel() {
	}

	static boolean begins(byte[] file) {
		return BEGINNINGS.stream().anyMatch(new String(file, StandardCharsets.ISO_8859_1)::startsWith);
	}

	static Forest read(InputStream in) throws IOException {
		BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
		TextSection header = new TextSection("");
		List<DecisionTree> trees = new ArrayList<>();
		String line = read(lines, header);
		while (line.startsWith(TREE)) {
			TextSection section = new TextSection(line);
			line = read(lines, section);
			trees.add(LightgbmTree.of(section));
		}
		return forest(header, trees);
	}

	/** Returns the line behind the section. */
	private static String read(BufferedReader lines, TextSection section) throws IOException {
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			if (line.startsWith(TREE) || line.equals(END)) {
				return line;
			}
			section.add(line);
		}
		throw new InvalidModelException("The file ends before the line '%s'. It is truncated.".formatted(END));
	}

	private static Forest forest(TextSection header, List<DecisionTree> trees) {
		String version = header.text("version");
		if (!VERSIONS.contains(version)) {
			throw header.refused("version", version, "Save the model with LightGBM 3 or 4, whose versions are %s."
				.formatted(String.join(" and ", VERSIONS)));
		}
		if (header.has("average_output")) {
			throw new InvalidModelException(
					"average_output is there: the model is a random forest. Train with boosting gbdt or dart.");
		}
		int groups = header.integer("num_tree_per_iteration");
		if (groups < 1 || trees.isEmpty() || trees.size() % groups != 0) {
			throw header.refused("num_tree_per_iteration", groups,
					"The file has %d trees, and needs as many for each iteration.".formatted(trees.size()));
		}
		if (header.has("tree_sizes") && header.texts("tree_sizes").length != trees.size()) {
			throw new InvalidModelException("tree_sizes has %d elements, and the file %d trees. It is damaged."
				.formatted(header.texts("tree_sizes").length, trees.size()));
		}
		int[] groupOfTree = new int[trees.size()];
		Arrays.setAll(groupOfTree, (tree) -> tree % groups);
		return new Forest(Library.LIGHTGBM, "LightGBM " + version, objective(header, groups),
				header.integer("max_feature_idx") + 1, new float[groups], trees, groupOfTree);
	}

	/** A model that was trained by gradients of the user's has none. */
	private static Objective objective(TextSection header, int groups) {
		if (!header.has("objective")) {
			return new Objective("custom", Link.IDENTITY);
		}
		String[] texts = header.texts("objective");
		String name = (texts.length > 0) ? texts[0] : "";
		Link link = OBJECTIVES.get(name);
		if (link == null) {
			throw header.refused("objective", name, "Use one of %s.".formatted(String.join(", ", OBJECTIVES.keySet())));
		}
		float slope = 1;
		for (int i = 1; i < texts.length; i++) {
			if (texts[i].startsWith(SIGMOID)) {
				slope = slope(header, texts[i].substring(SIGMOID.length()));
			}
			else if (!texts[i].equals("num_class:" + groups)) {
				throw header.refused("objective", String.join(" ", texts),
						"RingKernel takes the parameters sigmoid and num_class:%d. Train without '%s'."
							.formatted(groups, texts[i]));
			}
		}
		return new Objective(name, link, slope);
	}

	private static float slope(TextSection header, String text) {
		float slope = (float) header.number("objective.sigmoid", text);
		if (slope <= 0 || Float.isInfinite(slope)) {
			throw header.refused("objective.sigmoid", text, "It must be above 0, and finite.");
		}
		return slope;
	}

}
