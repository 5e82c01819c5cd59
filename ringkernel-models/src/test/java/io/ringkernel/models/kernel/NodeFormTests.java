package io.ringkernel.models.kernel;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import io.ringkernel.models.forest.DecisionTree;
import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.Library;
import io.ringkernel.models.forest.Link;
import io.ringkernel.models.forest.Objective;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the forms of nodes in an {@link EnsembleImage}: whether one word is enough
 * depends on how many features and nodes there are, and no margin on the form.
 */
class NodeFormTests {

	private final SplittableRandom random = new SplittableRandom(11);

	@ParameterizedTest
	@CsvSource({ "1, 1", "30, 6", "32768, 15", "16384, 16" })
	void aNodeOfOneWordTakesANarrowOffsetAndAFeature(int features, int depth) {
		EnsembleImage image = scoresAsTheForest(features, depth);
		assertThat(image.words()[ImageLayout.FORM]).isNotEqualTo(ImageLayout.GENERAL);
	}

	@ParameterizedTest
	@CsvSource({ "32768, 17", "16385, 17" })
	void aNodeTakesTwoWordsIfItsNumbersAreTooGreatForOne(int features, int depth) {
		EnsembleImage image = scoresAsTheForest(features, depth);
		assertThat(image.words()[ImageLayout.FORM]).isEqualTo(ImageLayout.GENERAL);
	}

	@Test
	void anEnsembleWithoutASplitHasAForm() {
		EnsembleImage image = EnsembleImage.of(forest(3, List.of(tree(3, 0), tree(3, 0), tree(3, 0))));
		assertThat(image.words()[ImageLayout.FORM]).isNotEqualTo(ImageLayout.GENERAL);
	}

	private EnsembleImage scoresAsTheForest(int features, int depth) {
		DecisionTree tree = tree(features, depth);
		EnsembleImage image = EnsembleImage.of(forest(features, List.of(tree)));
		TreeEnsembleHandler handler = new TreeEnsembleHandler(image, image.length());
		for (int i = 0; i < 200; i++) {
			float[] row = row(features);
			assertThat(handler.handle(ScoreRequest.score(0, image.stamp(), row)).margins())
				.containsExactly(0.25f + leaf(tree, row));
		}
		return image;
	}

	private static Forest forest(int features, List<DecisionTree> trees) {
		return new Forest(Library.XGBOOST, "random", new Objective("reg:squarederror", Link.IDENTITY), features,
				new float[] { 0.25f }, trees, new int[trees.size()]);
	}

	private float[] row(int features) {
		float[] row = new float[features];
		for (int i = 0; i < features; i++) {
			row[i] = (this.random.nextInt(5) == 0) ? Float.NaN : (float) this.random.nextDouble();
		}
		return row;
	}

	private static float leaf(DecisionTree tree, float[] row) {
		int node = 0;
		while (!tree.isLeaf(node)) {
			float feature = row[tree.features()[node]];
			boolean isFirst = Float.isNaN(feature) ? tree.missingToFirst()[node]
					: feature < (float) tree.values()[node];
			node = isFirst ? tree.first()[node] : tree.second()[node];
		}
		return (float) tree.values()[node];
	}

	/** A full tree, whose last split has the feature with the greatest number. */
	private DecisionTree tree(int features, int depth) {
		int size = (2 << depth) - 1;
		int[] first = new int[size];
		int[] second = new int[size];
		int[] split = new int[size];
		double[] values = new double[size];
		boolean[] missingToFirst = new boolean[size];
		for (int node = 0; node < size; node++) {
			boolean isLeaf = 2 * node + 1 >= size;
			first[node] = isLeaf ? -1 : 2 * node + 1;
			second[node] = isLeaf ? -1 : 2 * node + 2;
			split[node] = features - 1 - this.random.nextInt(Math.min(features, 100));
			values[node] = (float) this.random.nextDouble();
			missingToFirst[node] = this.random.nextBoolean();
		}
		return new DecisionTree(first, second, split, values, missingToFirst, new boolean[size], Map.of());
	}

}
