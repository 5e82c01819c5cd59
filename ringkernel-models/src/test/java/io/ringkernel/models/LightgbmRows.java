package io.ringkernel.models;

import com.microsoft.ml.lightgbm.PredictionType;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_double;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_float;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_long_long;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_p_void;
import com.microsoft.ml.lightgbm.SWIGTYPE_p_void;
import com.microsoft.ml.lightgbm.lightgbmlib;
import com.microsoft.ml.lightgbm.lightgbmlibConstants;

/**
 * Rows in the memory of LightGBM, and what it predicts for them, by its C API:
 * LGBMBooster has room for two classes, and writes beyond it. It also copies each feature
 * by a native call of its own; here, a prediction copies nothing.
 */
final class LightgbmRows implements AutoCloseable {

	private static final int FLOATS = lightgbmlibConstants.C_API_DTYPE_FLOAT32;

	private final SWIGTYPE_p_void booster;

	private final int rows;

	private final int features;

	private final int length;

	private final int type;

	private final String parameters;

	private final SWIGTYPE_p_float input;

	private final SWIGTYPE_p_double output;

	private final SWIGTYPE_p_long_long written = lightgbmlib.new_int64_tp();

	/** What LightGBM prepares once to predict for one row after another. */
	private final SWIGTYPE_p_p_void singleRow = lightgbmlib.new_voidpp();

	LightgbmRows(SWIGTYPE_p_void booster, float[] rows, int features, int groups, PredictionType type, int threads) {
		this.booster = booster;
		this.rows = rows.length / features;
		this.features = features;
		this.length = this.rows * groups;
		this.type = type.getType();
		this.parameters = "num_threads=" + threads;
		this.input = lightgbmlib.new_floatArray(rows.length);
		this.output = lightgbmlib.new_doubleArray(this.length);
		for (int i = 0; i < rows.length; i++) {
			lightgbmlib.floatArray_setitem(this.input, i, rows[i]);
		}
		TrainedLightgbmModel.succeed(lightgbmlib.LGBM_BoosterPredictForMatSingleRowFastInit(booster, this.type, 0, 0,
				FLOATS, features, this.parameters, this.singleRow));
	}

	/** Predicts in LightGBM's fastest way, which for one row is another than for more. */
	void predict() {
		SWIGTYPE_p_void data = lightgbmlib.float_to_voidp_ptr(this.input);
		TrainedLightgbmModel.succeed((this.rows == 1)
				? lightgbmlib.LGBM_BoosterPredictForMatSingleRowFast(lightgbmlib.voidpp_value(this.singleRow), data,
						this.written, this.output)
				: lightgbmlib.LGBM_BoosterPredictForMat(this.booster, data, FLOATS, this.rows, this.features, 1,
						this.type, 0, 0, this.parameters, this.written, this.output));
	}

	float[] predictions() {
		if (lightgbmlib.int64_tp_value(this.written) != this.length) {
			throw new IllegalStateException("%d predictions".formatted(lightgbmlib.int64_tp_value(this.written)));
		}
		float[] predictions = new float[this.length];
		for (int i = 0; i < predictions.length; i++) {
			predictions[i] = (float) lightgbmlib.doubleArray_getitem(this.output, i);
		}
		return predictions;
	}

	@Override
	public void close() {
		TrainedLightgbmModel.succeed(lightgbmlib.LGBM_FastConfigFree(lightgbmlib.voidpp_value(this.singleRow)));
		lightgbmlib.delete_voidpp(this.singleRow);
		lightgbmlib.delete_floatArray(this.input);
		lightgbmlib.delete_doubleArray(this.output);
		lightgbmlib.delete_int64_tp(this.written);
	}

}
