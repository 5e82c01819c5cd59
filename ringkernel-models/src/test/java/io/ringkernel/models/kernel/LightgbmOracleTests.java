package io.ringkernel.models.kernel;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.ringkernel.models.Oracle;
import io.ringkernel.models.TrainedLightgbmModel;
import io.ringkernel.models.forest.Forest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The handler beside LightGBM: margins have the same bits.
 */
@Tag("every-platform")
class LightgbmOracleTests {

	private static final int ROWS = 5_000;

	private static final List<Arguments> MODELS = List.of(
			arguments("regression", TrainedLightgbmModel.train("regression", 13, 0, 100, Map.of())),
			arguments("binary", TrainedLightgbmModel.train("binary", 30, 0, 200, Map.of("num_leaves", 63))),
			arguments("sigmoid", TrainedLightgbmModel.train("binary", 5, 0, 9, Map.of("sigmoid", 0.7))),
			arguments("multiclass", TrainedLightgbmModel.train("multiclass", 8, 0, 20, Map.of("num_class", 5))),
			arguments("one against all", TrainedLightgbmModel.train("multiclassova", 8, 2, 20, Map.of("num_class", 3))),
			arguments("poisson", TrainedLightgbmModel.train("poisson", 8, 0, 20, Map.of())),
			arguments("tweedie", TrainedLightgbmModel.train("tweedie", 8, 0, 20, Map.of())),
			arguments("gamma", TrainedLightgbmModel.train("gamma", 8, 0, 20, Map.of())),
			arguments("huber", TrainedLightgbmModel.train("huber", 8, 0, 20, Map.of("boosting", "dart"))),
			arguments("quantile",
					TrainedLightgbmModel.train("quantile", 8, 0, 20,
							Map.of("alpha", 0.3, "data_sample_strategy", "goss"))),
			arguments("l1", TrainedLightgbmModel.train("l1", 8, 0, 20, Map.of())),
			arguments("ranking", TrainedLightgbmModel.train("lambdarank", 8, 0, 20, Map.of())),
			arguments("ranking by listwise", TrainedLightgbmModel.train("rank_xendcg", 8, 0, 20, Map.of())),
			arguments("cross entropy", TrainedLightgbmModel.train("cross_entropy", 8, 0, 20, Map.of())),
			arguments("zero is missing",
					TrainedLightgbmModel.train("regression", 8, 0, 60, Map.of("zero_as_missing", true))),
			arguments("nothing is missing",
					TrainedLightgbmModel.train("regression", 8, 0, 60, Map.of("use_missing", false))),
			arguments("categories",
					TrainedLightgbmModel.train("binary", 9, 4, 60, Map.of("max_cat_to_onehot", 4, "cat_smooth", 1))),
			arguments("one-hot categories",
					TrainedLightgbmModel.train("regression", 6, 3, 60, Map.of("max_cat_to_onehot", 100))),
			arguments("categories, and zero is missing",
					TrainedLightgbmModel.train("regression", 6, 3, 60,
							Map.of("zero_as_missing", true, "cat_smooth", 1))),
			arguments("deep", TrainedLightgbmModel.train("regression", 8, 0, 3, Map.of("num_leaves", 500))), arguments(
					"one leaf", TrainedLightgbmModel.train("regression", 3, 0, 2, Map.of("min_gain_to_split", 1e30))));

	static Stream<Arguments> models() {
		return MODELS.stream();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("models")
	void marginsHaveTheBitsOfLightgbm(String name, Oracle model) {
		XgboostOracleTests.compare(model, ROWS);
	}

	/**
	 * A prediction is made of a margin in single precision, and LightGBM's of a double.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("models")
	void predictionsAreThoseOfLightgbm(String name, Oracle model) {
		Forest forest = model.forest();
		float[] rows = model.rows(500, 3);
		float[] predictions = forest.objective().predictions(model.margins(rows), forest.baseScores().length);
		float[] expected = model.predictions(rows);
		assertThat(predictions).hasSameSizeAs(expected);
		for (int i = 0; i < expected.length; i++) {
			assertThat(predictions[i]).isCloseTo(expected[i], within(20 * Math.ulp(expected[i])));
		}
	}

}
