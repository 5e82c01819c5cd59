package io.ringkernel.models.forest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.ringkernel.models.TrainedModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link XgboostModel}: what later versions of XGBoost write than the one that
 * trains the models of the tests.
 */
class XgboostModelTests {

	private static final String CLASSES = file("multi:softprob", Map.of("num_class", 3));

	private static final String LOGISTIC = file("binary:logistic", Map.of("base_score", 0.25));

	private static String file(String objective, Map<String, Object> more) {
		return new String(TrainedModel.train(objective, 4, 3, 3, more).file("json"), StandardCharsets.UTF_8);
	}

	private static Forest forest(String file) throws IOException {
		return ForestReader.read(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)));
	}

	private static String replaced(String file, String pattern, String by) {
		String replaced = file.replaceFirst(pattern, by);
		assertThat(replaced).isNotEqualTo(file);
		return replaced;
	}

	private static String withBaseScore(String file, String score) {
		return replaced(file, "\"base_score\":\"[^\"]*\"", "\"base_score\":\"" + score + "\"");
	}

	private static String ofVersion(String file, int major, int minor) {
		return replaced(file, "\"version\":\\[[^]]*]", "\"version\":[%d,%d,0]".formatted(major, minor));
	}

	@Test
	void aBaseScoreForEachOutputIsThatOfItsTrees() throws IOException {
		assertThat(forest(withBaseScore(CLASSES, "[1E-1,2E-1,3E-1]")).baseScores()).containsExactly(0.1f, 0.2f, 0.3f);
		assertThat(forest(withBaseScore(CLASSES, "[5E-1]")).baseScores()).containsExactly(0.5f, 0.5f, 0.5f);
	}

	@ParameterizedTest
	@ValueSource(strings = { "[1E-1,2E-1]", "[]", "[1E-1,,3E-1]", "one" })
	void refusesBaseScoresThatAreNone(String score) {
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> forest(withBaseScore(CLASSES, score)))
			.withMessage(
					"learner.learner_model_param.base_score is '%s'. Use a model with one number, or one for each of its 3 outputs."
						.formatted(score));
	}

	@ParameterizedTest
	@CsvSource({ "\"gradient_booster\":\\{, learner.gradient_booster",
			"\"model\":\\{, learner.gradient_booster.model" })
	void refusesTreesThatHaveWeights(String owner, String path) throws IOException {
		String key = owner.replace("\\", "");
		assertThatExceptionOfType(InvalidModelException.class)
			.isThrownBy(() -> forest(replaced(LOGISTIC, owner, key.replace("{", "\\{") + "\"weight_drop\":[1,0.5,1],")))
			.withMessage(path + ".weight_drop has the weight 0.5. Train with the booster gbtree without dropout.");
		assertThat(forest(replaced(LOGISTIC, owner, key.replace("{", "\\{") + "\"weight_drop\":[1,1,1],")).baseScores())
			.hasSize(1);
	}

	@Test
	void aProbabilityIsKeptOffZeroAndOneAsTheVersionDoes() throws IOException {
		assertThat(forest(ofVersion(withBaseScore(LOGISTIC, "0E0"), 3, 2)).baseScores()[0]).isCloseTo(-13.8155f,
				within(1e-3f));
		assertThat(forest(ofVersion(withBaseScore(LOGISTIC, "1E-7"), 3, 1)).baseScores()[0]).isCloseTo(-16.118f,
				within(1e-3f));
	}

	/**
	 * XGBoost 1.4 and later take the base score of an older file for a margin as well.
	 */
	@Test
	void theBaseScoreOfRawMarginsIsWhatItIsToTheVersionThatWroteIt() throws IOException {
		String raw = withBaseScore(file("binary:logitraw", Map.of()), "2.5E-1");
		assertThat(forest(ofVersion(raw, 1, 3)).baseScores()[0]).isCloseTo(-1.0986f, within(1e-3f));
		assertThat(forest(ofVersion(raw, 1, 4)).baseScores()).containsExactly(0.25f);
	}

	@Test
	void refusesSeveralQuantilesThatTheLibrarySorts() throws IOException {
		String quantiles = replaced(CLASSES, "multi:softprob", "reg:quantileerror");
		assertThat(forest(ofVersion(quantiles, 3, 3)).baseScores()).hasSize(3);
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> forest(ofVersion(quantiles, 3, 4)))
			.withMessageContaining("with 3 quantiles, which XGBoost 3.4.0 sorts. Train a model for each quantile.");
	}

}
