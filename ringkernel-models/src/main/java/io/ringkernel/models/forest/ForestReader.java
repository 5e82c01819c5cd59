package io.ringkernel.models.forest;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

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
		if (UbjsonModel.begins(first)) {
			return XgboostModel.forest(UbjsonModel.read(file.readAllBytes()));
		}
		if (JsonModel.begins(first)) {
			return XgboostModel.forest(JsonModel.read(file));
		}
		throw new InvalidModelException(
				"The file begins with '%s'. Save a model of XGBoost as JSON or UBJSON, and one of LightGBM as text."
					.formatted(new String(first, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?")));
	}

}
