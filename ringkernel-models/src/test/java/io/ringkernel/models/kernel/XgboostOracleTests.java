package io.ringkernel.models.kernel;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.models.Oracle;
import io.ringkernel.models.TrainedModel;
import io.ringkernel.models.forest.Forest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The handler beside XGBoost: margins have the same bits.
 */
@Tag("every-platform")
class XgboostOracleTests {

	private static final int ROWS = 10_000;

	private static final int BATCH = 500;

	private static final List<Arguments> MODELS = List.of(
			arguments("regression", TrainedModel.train("reg:squarederror", 13, 100, 6, Map.of())),
			arguments("logistic", TrainedModel.train("binary:logistic", 30, 200, 8, Map.of())),
			arguments("base score", TrainedModel.train("binary:logistic", 5, 7, 3, Map.of("base_score", 0.123))),
			arguments("raw", TrainedModel.train("binary:logitraw", 5, 7, 3, Map.of("base_score", 0.37))),
			arguments("softmax", TrainedModel.train("multi:softmax", 8, 20, 5, Map.of("num_class", 3))),
			arguments("softprob", TrainedModel.train("multi:softprob", 8, 20, 5, Map.of("num_class", 5))),
			arguments("forest",
					TrainedModel.train("reg:squarederror", 8, 5, 5, Map.of("num_parallel_tree", 7, "subsample", 0.5))),
			arguments("poisson", TrainedModel.train("count:poisson", 8, 20, 5, Map.of("base_score", 1.7))),
			arguments("deep",
					TrainedModel.train("reg:squarederror", 8, 3, 14,
							Map.of("grow_policy", "lossguide", "max_leaves", 300))),
			arguments("pruned",
					TrainedModel.train("reg:squarederror", 8, 20, 6, Map.of("tree_method", "exact", "gamma", 50))),
			arguments("one leaf", TrainedModel.train("reg:squarederror", 3, 2, 1, Map.of("gamma", 1e30))),
			arguments("categories", TrainedModel.train("binary:logistic", 9, 4, 60, 6, Map.of("max_cat_to_onehot", 4))),
			arguments("one-hot categories",
					TrainedModel.train("reg:squarederror", 6, 3, 60, 6, Map.of("max_cat_to_onehot", 100))));

	static Stream<Arguments> models() {
		return MODELS.stream();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("models")
	void marginsHaveTheBitsOfXgboost(String name, TrainedModel model) {
		compare(model, ROWS);
	}

	@Test
	void marginsOfManyRowsHaveTheBitsOfXgboost() {
		compare(TrainedModel.train("binary:logistic", 30, 100, 8, Map.of()), 200_000);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("models")
	void predictionsAreThoseOfXgboost(String name, TrainedModel model) {
		Forest forest = model.forest();
		float[] rows = model.rows(BATCH, 3);
		float[] predictions = forest.objective().predictions(model.margins(rows), forest.baseScores().length);
		float[] expected = model.predictions(rows);
		assertThat(predictions).hasSameSizeAs(expected);
		for (int i = 0; i < expected.length; i++) {
			assertThat(predictions[i]).isCloseTo(expected[i], within(2 * Math.ulp(expected[i])));
		}
	}

	@Test
	void compilesForDevice() {
		EnsembleImage image = EnsembleImage.of(TrainedModel.train("reg:squarederror", 3, 4, 2, Map.of()).forest());
		assertThat(HandlerCompiler.compile(new TreeEnsembleHandler(image, image.length()),
				MessageLayout.of(ScoreRequest.class), MessageLayout.of(ScoreResponse.class)))
			.isNotNull();
	}

	@Test
	void pruningLeavesNodesThatSplitByNoFeature() {
		TrainedModel pruned = (TrainedModel) MODELS.stream()
			.map(Arguments::get)
			.filter((model) -> model[0].equals("pruned"))
			.findAny()
			.orElseThrow()[1];
		assertThat(new String(pruned.file("json"), StandardCharsets.UTF_8)).contains("2147483647");
	}

	/** What a kernel host gets is as large as the model, not as the room for others. */
	@Test
	void theStateBeginsWithTheWordsOfTheModelAlone() {
		EnsembleImage image = EnsembleImage.of(TrainedModel.train("reg:squarederror", 3, 4, 2, Map.of()).forest());
		CompiledHandler compiled = HandlerCompiler.compile(new TreeEnsembleHandler(image, 1 << 21),
				MessageLayout.of(ScoreRequest.class), MessageLayout.of(ScoreResponse.class));
		assertThat(compiled.stateBytes()).isGreaterThanOrEqualTo(2L * (1 << 21) * Long.BYTES);
		assertThat(compiled.initialState().remaining()).isLessThan(1 << 20);
	}

	static void compare(Oracle model, int count) {
		Forest forest = model.forest();
		EnsembleImage image = EnsembleImage.of(forest);
		TreeEnsembleHandler handler = new TreeEnsembleHandler(image, image.length() + 5);
		for (int seed = 0; seed < count / BATCH; seed++) {
			float[] rows = model.rows(BATCH, seed);
			ScoreResponse response = handler.handle(ScoreRequest.score(0, image.stamp(), rows));
			assertThat(response.isStale()).isFalse();
			assertThat(bits(response.margins())).isEqualTo(bits(model.margins(rows)));
		}
	}

	private static int[] bits(float[] numbers) {
		int[] bits = new int[numbers.length];
		Arrays.setAll(bits, (i) -> Float.floatToIntBits(numbers[i]));
		return bits;
	}

}
