package io.ringkernel.models.forest;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads model files.
 *
 * @since 0.2.0
 */
public final class ModelFiles {

	private ModelFiles() {
	}

	/**
	 * Reads a model of XGBoost, saved as JSON.
	 * @param in the file
	 * @return the ensemble
	 * @throws IOException if the file cannot be read
	 * @throws InvalidModelException if it is no model, or one that cannot be imported
	 */
	public static Forest read(InputStream in) throws IOException {
		return XgboostModel.read(JsonModel.read(new BufferedInputStream(in)));
	}

}
