package io.ringkernel.models;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.ForestReader;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * A model that XGBoost has trained on random rows, and what it predicts. A part of the
 * features is missing; features of the first columns may be categories.
 */
public final class TrainedModel implements Oracle {

	public static final int CATEGORIES = 70;

	private static final int TRAINING_ROWS = 2000;

	private final Booster booster;

	private final int features;

	private final int categorical;

	private TrainedModel(Booster booster, int features, int categorical) {
		this.booster = booster;
		this.features = features;
		this.categorical = categorical;
	}

	public static TrainedModel train(String objective, int features, int trees, int depth, Map<String, Object> more) {
		return train(objective, features, 0, trees, depth, more);
	}

	public static TrainedModel train(String objective, int features, int categorical, int trees, int depth,
			Map<String, Object> more) {
		try {
			float[] rows = rows(TRAINING_ROWS, features, categorical, new Random(1));
			DMatrix matrix = matrix(rows, features, categorical);
			matrix.setLabel(labels(rows, features, objective, more));
			Map<String, Object> parameters = new HashMap<>(Map.of("objective", objective, "max_depth", depth, "eta",
					0.3, "tree_method", "hist", "nthread", 1, "min_child_weight", 0, "seed", 7));
			parameters.putAll(more);
			return new TrainedModel(XGBoost.train(matrix, parameters, trees, Map.of(), null, null), features,
					categorical);
		}
		catch (XGBoostError ex) {
			throw new IllegalStateException(ex);
		}
	}

	static float[] labels(float[] rows, int features, String objective, Map<String, Object> more) {
		Random random = new Random(2);
		float[] labels = new float[rows.length / features];
		for (int row = 0; row < labels.length; row++) {
			float sum = (float) random.nextGaussian();
			for (int i = 0; i < features; i++) {
				float feature = rows[row * features + i];
				sum += Float.isNaN(feature) ? 0.3f : (float) Math.sin(Math.max(-9, Math.min(feature, 9)) * (i + 1));
			}
			labels[row] = switch (objective.split(":")[0]) {
				case "binary" -> (sum > 0) ? 1 : 0;
				case "multi" -> Math.floorMod(Math.round(sum), (Integer) more.get("num_class"));
				case "count" -> Math.round(Math.abs(sum));
				default -> sum;
			};
		}
		return labels;
	}

	/** Random rows: a tenth of the features is missing, and some are huge, tiny or 0. */
	public static float[] rows(int rows, int features, int categorical, Random random) {
		float[] values = new float[rows * features];
		for (int i = 0; i < values.length; i++) {
			int kind = random.nextInt(40);
			boolean isCategory = i % features < categorical;
			values[i] = (kind < 4) ? Float.NaN : isCategory ? random.nextInt(CATEGORIES) : switch (kind) {
				case 4 -> 0;
				case 5 -> -0f;
				case 6 -> Float.MAX_VALUE;
				case 7 -> -Float.MIN_VALUE;
				default -> Math.round(random.nextGaussian() * 64) / 32f;
			};
		}
		return values;
	}

	@Override
	public float[] rows(int rows, long seed) {
		return rows(rows, this.features, this.categorical, new Random(seed));
	}

	private static DMatrix matrix(float[] rows, int features, int categorical) throws XGBoostError {
		DMatrix matrix = new DMatrix(rows, rows.length / features, features, Float.NaN);
		if (categorical > 0) {
			String[] types = new String[features];
			Arrays.setAll(types, (i) -> (i < categorical) ? "c" : "q");
			matrix.setFeatureTypes(types);
		}
		return matrix;
	}

	/**
	 * Sets how many threads predict.
	 * @param threads how many, 0 for as many as there are processors
	 */
	void setThreads(int threads) {
		try {
			this.booster.setParam("nthread", threads);
		}
		catch (XGBoostError ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Predicts without making a matrix of the rows first, which is XGBoost's fastest way.
	 * @param rows the rows
	 * @return the margins, an array for each row
	 */
	float[][] marginsInPlace(float[] rows) {
		try {
			return this.booster.inplace_predict(rows, rows.length / this.features, this.features, Float.NaN,
					new int[] { 0, 0 }, Booster.PredictionType.kMargin, null);
		}
		catch (XGBoostError ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public float[] margins(float[] rows) {
		return predict(rows, true);
	}

	@Override
	public float[] predictions(float[] rows) {
		return predict(rows, false);
	}

	private float[] predict(float[] rows, boolean margin) {
		try {
			DMatrix matrix = matrix(rows, this.features, this.categorical);
			float[][] predictions = this.booster.predict(matrix, margin);
			matrix.dispose();
			float[] flat = new float[predictions.length * predictions[0].length];
			for (int row = 0; row < predictions.length; row++) {
				System.arraycopy(predictions[row], 0, flat, row * predictions[0].length, predictions[0].length);
			}
			return flat;
		}
		catch (XGBoostError ex) {
			throw new IllegalStateException(ex);
		}
	}

	public byte[] file(String format) {
		try {
			return this.booster.toByteArray(format);
		}
		catch (XGBoostError ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public Forest forest() {
		try {
			return ForestReader.read(new ByteArrayInputStream(file("json")));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
