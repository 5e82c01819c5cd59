package io.ringkernel.models.forest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;

import io.ringkernel.models.TrainedLightgbmModel;
import io.ringkernel.models.kernel.EnsembleImage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LightgbmModel} and {@link LightgbmTree}.
 */
class LightgbmModelTests {

	private static final String TREE = """
			Tree=0
			num_leaves=3
			num_cat=1
			split_feature=1 0
			split_gain=1 1
			threshold=0 0.5
			decision_type=1 10
			left_child=1 -1
			right_child=-2 -3
			leaf_value=0.1 -2.5 1e-3
			cat_boundaries=0 2
			cat_threshold=4294967295 1
			is_linear=0
			shrinkage=1


			""";

	private static final String MODEL = """
			tree
			version=v4
			num_class=1
			num_tree_per_iteration=1
			label_index=0
			max_feature_idx=1
			objective=binary sigmoid:1
			feature_names=a=b c
			feature_infos=[0:1] 0:1:2
			tree_sizes=300

			""" + TREE + """
			end of trees

			feature_importances:
			c=1
			""";

	private static Forest forest(String file) throws IOException {
		return ForestReader.read(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void readsTreesAndTheirSets() throws IOException {
		Forest forest = forest(MODEL);
		assertThat(forest.format()).isEqualTo("LightGBM v4");
		assertThat(forest.features()).isEqualTo(2);
		assertThat(forest.objective()).isEqualTo(new Objective("binary", Link.LOGISTIC));
		DecisionTree tree = forest.trees().get(0);
		assertThat(tree.first()).containsExactly(1, 2, -1, -1, -1);
		assertThat(tree.second()).containsExactly(3, 4, -1, -1, -1);
		assertThat(tree.values()).endsWith(0.1, -2.5, 1e-3);
		assertThat(tree.values()[1]).isEqualTo(Math.nextUp(0.5f));
		assertThat(tree.missingToFirst()[1]).isTrue();
		assertThat(tree.categories()).containsOnlyKeys(0);
		assertThat(tree.categories().get(0).stream().toArray()).hasSize(33).endsWith(31, 32);
	}

	@ParameterizedTest
	@CsvSource({ "'\n', '\r\n'", "v4, v3", "'tree\n', ''", "tree_sizes=300, ''" })
	void takesWhatOtherVersionsAndSystemsWrite(String of, String instead) throws IOException {
		assertThat(forest(MODEL.replace(of, instead)).trees()).usingRecursiveComparison()
			.isEqualTo(forest(MODEL).trees());
	}

	@Test
	void aModelWithoutAnObjectivePredictsItsMargins() throws IOException {
		assertThat(forest(MODEL.replace("objective=binary sigmoid:1\n", "")).objective().link())
			.isEqualTo(Link.IDENTITY);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					version=v4                | version=v2              | version is 'v2'. Save the model with LightGBM 3 or 4
					label_index=0             | average_output          | Train with boosting gbdt or dart
					is_linear=0               | is_linear=1             | Tree=0.is_linear is '1'. Train with linear_tree=false
					binary sigmoid:1          | lottery                 | objective is 'lottery'. Use one of binary, cross_entropy
					binary sigmoid:1          | cross_entropy_lambda    | objective is 'cross_entropy_lambda'
					binary sigmoid:1          | regression sqrt         | Train without 'sqrt'
					binary sigmoid:1          | multiclass num_class:3  | num_class:1
					sigmoid:1                 | sigmoid:0               | sigmoid is '0'. It must be above 0
					sigmoid:1                 | sigmoid:x               | sigmoid is 'x', and not a number
					num_tree_per_iteration=1  | num_tree_per_iteration=2 | num_tree_per_iteration is '2'. The file has 1 trees
					num_tree_per_iteration=1  | num_tree_per_iteration=0 | num_tree_per_iteration is '0'
					max_feature_idx=1         | max_feature_idx=one     | max_feature_idx is 'one', and not an integer
					max_feature_idx=1         | no=1                    | max_feature_idx is missing
					max_feature_idx=1         | max_feature_idx=0       | feature of a split is 1. It must be from 0 to 0
					tree_sizes=300            | tree_sizes=300 400      | tree_sizes has 2 elements, and the file 1 trees
					threshold=0 0.5           | no=0 0.5                | Tree=0.threshold is missing
					threshold=0 0.5           | threshold=0 0.5 0.5     | Tree=0.threshold has 3 elements, and not 2
					threshold=0 0.5           | threshold=0 nan         | Tree=0.threshold[1] is 'nan'
					threshold=0 0.5           | threshold=1 0.5         | Tree=0.threshold[0] is '1.0'. The tree has 1 sets
					left_child=1 -1           | left_child=1 -4         | Tree=0.left_child[1] is '-4'
					left_child=1 -1           | left_child=2 -1         | Tree=0.left_child[0] is '2'
					left_child=1 -1           | left_child=0 -1         | a child of two nodes
					decision_type=1 10        | decision_type=1 12      | Tree=0.decision_type[1] is '12'
					num_leaves=3              | num_leaves=2000000000   | leaf_value has 3 elements, and not 2000000000
					num_leaves=3              | num_leaves=0            | Tree=0.num_leaves is '0'
					num_cat=1                 | num_cat=2147483647      | Tree=0.num_cat is '2147483647'. The tree has 2 splits
					cat_boundaries=0 2        | cat_boundaries=3 2      | Tree=0.cat_boundaries[0] is '3'
					cat_boundaries=0 2        | cat_boundaries=0 9      | cat_threshold has 2 elements, and not 9
					end of trees              | end                     | ends before the line 'end of trees'. It is truncated
					""")
	void refusesWithFieldValueAndRemedy(String of, String instead, String message) {
		assertThat(MODEL).contains(of);
		assertThatExceptionOfType(InvalidModelException.class)
			.isThrownBy(() -> EnsembleImage.of(forest(MODEL.replace(of, instead))))
			.withMessageContaining(message);
	}

	@Test
	void refusesOtherFormatsByTheirBytes() {
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> forest("binf\0\0\0?"))
			.withMessageContaining("begins with 'binf")
			.withMessageContaining("JSON or UBJSON");
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> forest(""))
			.withMessageContaining("begins with ''");
	}

	@Test
	void aDamagedFileIsRefusedOrRead() throws IOException {
		byte[] file = TrainedLightgbmModel
			.train("multiclass", 6, 2, 4, Map.of("num_class", 3, "cat_smooth", 1, "num_leaves", 7))
			.file()
			.getBytes(StandardCharsets.UTF_8);
		Random random = new Random(5);
		int refused = 0;
		for (int i = 0; i < 2000; i++) {
			byte[] damaged = file.clone();
			damaged[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
			int length = (i % 4 == 0) ? random.nextInt(file.length) : file.length;
			try {
				EnsembleImage.of(ForestReader.read(new ByteArrayInputStream(damaged, 0, length)));
			}
			catch (InvalidModelException ex) {
				refused++;
			}
		}
		assertThat(refused).isBetween(100, 1900);
	}

	@Test
	void aThresholdPartsTheSameFloats() {
		Random random = new Random(3);
		for (int i = 0; i < 200_000; i++) {
			float near = switch (i % 4) {
				case 0 -> Float.intBitsToFloat(random.nextInt());
				case 1 -> (random.nextInt(7) - 3) * DecisionTree.ZERO / 2;
				case 2 -> random.nextBoolean() ? Float.MAX_VALUE : -Float.MAX_VALUE;
				default -> Math.round(random.nextGaussian() * 64) / 32f;
			};
			if (!Float.isNaN(near)) {
				double[] thresholds = { near, Math.nextUp((double) near), Math.nextDown((double) near),
						near * 1.0000001, (near + (double) Math.nextUp(near)) / 2 };
				for (double threshold : thresholds) {
					partsTheSameFloats(threshold, near);
				}
			}
		}
		partsTheSameFloats(1e300, Float.MAX_VALUE);
		partsTheSameFloats(-1e300, -Float.MAX_VALUE);
		partsTheSameFloats(Double.NEGATIVE_INFINITY, -Float.MAX_VALUE);
	}

	private static void partsTheSameFloats(double threshold, float near) {
		if (threshold == Double.POSITIVE_INFINITY || Double.isNaN(threshold)) {
			return;
		}
		float[] features = { near, Math.nextUp(near), Math.nextDown(near), -near, 0, DecisionTree.ZERO,
				-DecisionTree.ZERO, Math.nextUp(DecisionTree.ZERO), Math.nextDown(-DecisionTree.ZERO),
				Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY };
		for (float feature : features) {
			double counted = (Math.abs(feature) <= DecisionTree.ZERO) ? 0 : feature;
			assertThat(feature < LightgbmTree.threshold(threshold)).as("%s and %s", feature, threshold)
				.isEqualTo(counted <= threshold);
		}
	}

}
