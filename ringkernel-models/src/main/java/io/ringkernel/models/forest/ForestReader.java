package io.ringkernel.models.forest;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads models of XGBoost, in JSON and in UBJSON, and text models of LightGBM. The first
 * bytes of a file tell its format; its name does not matter.
 *
 * @since 0.2.0
 */
public final class ForestReader {

	private static final int FIRST_BYTES = 16;

	private ForestReader() {
	}

	/**
	 * Reads a model.
	 * @param in the file
	 * @return the ensemble
	 * @throws IOException if the file cannot be read
	 * @throws InvalidModelException if it is no model, or one that cannot be imported
	 */
	public static Forest read(InputStream in) throws IOException {
		BufferedInputStream file = new BufferedInputStream(in);
		file.mark(FIRST_BYTES);
		byte[] first = file.readNBytes(FIRST_BYTES);
		file.reset();
		if (LightgbmModel.begins(first)) {
			return LightgbmModel.read(file);
		}
		return XgboostModel
			.forest(UbjsonModel.begins(first) ? UbjsonModel.read(file.readAllBytes()) : JsonModel.read(file));
	}

}
