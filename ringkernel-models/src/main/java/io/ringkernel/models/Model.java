package io.ringkernel.models;

import java.io.IOException;
import java.io.InputStream;

import io.ringkernel.models.forest.Forest;
import io.ringkernel.models.forest.ForestReader;
import io.ringkernel.models.forest.InvalidModelException;
import io.ringkernel.models.forest.Objective;
import io.ringkernel.models.kernel.EnsembleImage;

import org.springframework.core.io.Resource;

/**
 * A model that has been imported.
 *
 * @param source where it was read from
 * @param format what wrote it, such as {@code XGBoost 2.1.4}
 * @param objective what makes predictions of margins
 * @param features the features of a row
 * @param groups the margins of a row
 * @param trees the number of trees
 * @param image the model as the kernel holds it
 * @since 0.2.0
 */
public record Model(String source, String format, Objective objective, int features, int groups, int trees,
		EnsembleImage image) {

	/**
	 * Imports a model of XGBoost, in JSON or in UBJSON, or a text model of LightGBM.
	 * @param resource the file
	 * @return the model
	 * @throws InvalidModelException if it cannot be imported; the message names the file,
	 * the field and its value
	 */
	public static Model read(Resource resource) {
		String source = resource.getDescription();
		try (InputStream in = resource.getInputStream()) {
			return of(source, ForestReader.read(in));
		}
		catch (IOException ex) {
			throw new InvalidModelException("The model cannot be read from %s: %s".formatted(source, ex.getMessage()),
					ex);
		}
		catch (InvalidModelException ex) {
			throw new InvalidModelException("The model of %s is refused. %s".formatted(source, ex.getMessage()), ex);
		}
	}

	/**
	 * Lays an ensemble out for the kernel.
	 * @param source where it comes from
	 * @param forest the ensemble
	 * @return the model
	 * @throws InvalidModelException if it is too large, or damaged
	 */
	public static Model of(String source, Forest forest) {
		return new Model(source, forest.format(), forest.objective(), forest.features(), forest.baseScores().length,
				forest.trees().size(), EnsembleImage.of(forest));
	}

	/**
	 * {@return how many predictions a row has}
	 */
	public int outputs() {
		return this.objective.outputs(this.groups);
	}

}
