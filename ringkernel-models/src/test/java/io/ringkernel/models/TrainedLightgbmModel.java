package io.ringkernel.models;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.microsoft.ml.lightgbm.PredictionType;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_p_void;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_void;
import com.microsoft.ml.lightgbm.lightgbmlib;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;
import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.ForestReader;

import org.springframework.util.FileSystemUtils;

/**
 * A model that LightGBM has trained on random rows, and what it predicts. Rows to predict
 * for have what is hard to decide: categories with a fraction, and features around 0.
 */
public final class TrainedLightgbmModel implements Oracle {

	private static final int TRAINING_ROWS = 2000;

	private static final int QUERY = 20;

	private static final float[] HARD = { 1e-35f, -1e-35f, Math.nextUp(1e-35f), Math.nextDown(-1e-35f), 1e-40f, -1e-40f,
			Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0.5f, -1, 2.75f, 1e9f, -1e9f };

	static {
		loadLibrary();
	}

	private final String file;

	private final SWIGTYPE_p_void booster;

	private final int features;

	private final int categorical;

	private final int groups;

	private TrainedLightgbmModel(String file, int features, int categorical, int groups) {
		this.file = file;
		this.features = features;
		this.categorical = categorical;
		this.groups = groups;
		SWIGTYPE_p_p_void handle = lightgbmlib.new_voidpp();
		succeed(lightgbmlib.LGBM_BoosterLoadModelFromString(file, lightgbmlib.new_intp(), handle));
		this.booster = lightgbmlib.voidpp_value(handle);
	}

	/**
	 * LGBMBooster unpacks its library under a fixed name, over the one that another JVM
	 * has mapped. A folder of its own keeps parallel test runs from crashing.
	 */
	private static void loadLibrary() {
		String temporary = System.getProperty("java.io.tmpdir");
		try {
			Path own = Files.createTempDirectory("lightgbm");
			System.setProperty("java.io.tmpdir", own.toString());
			LGBMBooster.loadNative();
			FileSystemUtils.deleteRecursively(own.toFile());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			System.setProperty("java.io.tmpdir", temporary);
		}
	}

	public static TrainedLightgbmModel train(String objective, int features, int categorical, int trees,
			Map<String, Object> more) {
		String categories = IntStream.range(0, categorical).mapToObj(String::valueOf).collect(Collectors.joining(","));
		String parameters = "objective=" + objective + " num_threads=1 deterministic=true seed=7 verbosity=-1"
				+ " min_data_in_leaf=2 min_sum_hessian_in_leaf=0 min_data_per_group=5 categorical_feature=" + categories
				+ more.entrySet()
					.stream()
					.map((entry) -> " " + entry.getKey() + "=" + entry.getValue())
					.collect(Collectors.joining());
		try {
			float[] rows = TrainedModel.rows(TRAINING_ROWS, features, categorical, new Random(1));
			LGBMDataset data = LGBMDataset.createFromMat(rows, TRAINING_ROWS, features, true, parameters, null);
			data.setField("label", labels(rows, features, objective, more));
			if (objective.startsWith("lambda") || objective.startsWith("rank")) {
				data.setField("group", IntStream.generate(() -> QUERY).limit(TRAINING_ROWS / QUERY).toArray());
			}
			LGBMBooster booster = LGBMBooster.create(data, parameters);
			for (int i = 0; i < trees; i++) {
				booster.updateOneIter();
			}
			String file = booster.saveModelToString(0, 0, LGBMBooster.FeatureImportanceType.SPLIT);
			booster.close();
			data.close();
			return new TrainedLightgbmModel(file, features, categorical, (Integer) more.getOrDefault("num_class", 1));
		}
		catch (LGBMException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static float[] labels(float[] rows, int features, String objective, Map<String, Object> more) {
		float[] labels = switch (objective) {
			case "binary", "cross_entropy" -> TrainedModel.labels(rows, features, "binary:", more);
			case "multiclass", "multiclassova" -> TrainedModel.labels(rows, features, "multi:", more);
			case "lambdarank", "rank_xendcg" -> TrainedModel.labels(rows, features, "multi:", Map.of("num_class", 5));
			case "poisson", "gamma", "tweedie" -> TrainedModel.labels(rows, features, "count:", more);
			default -> TrainedModel.labels(rows, features, "reg:", more);
		};
		if (objective.equals("gamma")) {
			for (int i = 0; i < labels.length; i++) {
				labels[i]++;
			}
		}
		return labels;
	}

	@Override
	public float[] rows(int rows, long seed) {
		Random random = new Random(seed);
		float[] values = TrainedModel.rows(rows, this.features, this.categorical, random);
		for (int i = random.nextInt(20); i < values.length; i += 1 + random.nextInt(40)) {
			values[i] = HARD[random.nextInt(HARD.length)];
		}
		return values;
	}

	@Override
	public float[] margins(float[] rows) {
		return predict(rows, PredictionType.C_API_PREDICT_RAW_SCORE);
	}

	@Override
	public float[] predictions(float[] rows) {
		return predict(rows, PredictionType.C_API_PREDICT_NORMAL);
	}

	private float[] predict(float[] rows, PredictionType type) {
		try (LightgbmRows input = new LightgbmRows(this.booster, rows, this.features, this.groups, type, 1)) {
			input.predict();
			return input.predictions();
		}
	}

	/**
	 * Lays rows out where LightGBM reads them, to predict their margins.
	 * @param rows the rows
	 * @param threads how many threads predict, 0 for as many as there are processors
	 * @return the rows
	 */
	LightgbmRows rows(float[] rows, int threads) {
		return new LightgbmRows(this.booster, rows, this.features, this.groups, PredictionType.C_API_PREDICT_RAW_SCORE,
				threads);
	}

	static void succeed(int result) {
		if (result < 0) {
			throw new IllegalStateException(lightgbmlib.LGBM_GetLastError());
		}
	}

	public String file() {
		return this.file;
	}

	@Override
	public Forest forest() {
		try {
			return ForestReader.read(new ByteArrayInputStream(file().getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
