package io.ringkernel.models.autoconfigure;

import java.util.Objects;

import io.ringkernel.models.Model;
import io.ringkernel.models.TreeEnsemble;
import io.ringkernel.models.kernel.EnsembleImage;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.ScoreResponse;
import io.ringkernel.models.kernel.TreeEnsembleHandler;
import io.ringkernel.runtime.Kernel;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Creates the beans of a model by its properties.
 */
final class ModelFactory {

	private static final int LEAST_CAPACITY = (int) DataSize.ofMegabytes(1).toBytes();

	/** Half of what a kernel host takes: the code of the kernel comes with it. */
	private static final int MOST_LOADED = (int) DataSize.ofMegabytes(16).toBytes();

	private ModelFactory() {
	}

	static Model model(String name, RingKernelModelsProperties properties) {
		ModelProperties model = properties(name, properties);
		if (model.location() == null) {
			throw new InvalidConfigurationPropertyValueException(property(name, "location"), null,
					"Set it to the file of a model.");
		}
		return Model.read(model.location());
	}

	/**
	 * A large model is stored by the first call: what a kernel host loads has a limit.
	 */
	static TreeEnsembleHandler handler(String name, Model model, RingKernelModelsProperties properties) {
		int capacity = capacity(name, model, properties);
		return (model.image().length() > MOST_LOADED / Long.BYTES) ? new TreeEnsembleHandler(capacity)
				: new TreeEnsembleHandler(model.image(), capacity);
	}

	static TreeEnsemble ensemble(String name, Model model, Kernel<ScoreRequest, ScoreResponse> kernel,
			RingKernelModelsProperties properties) {
		return new TreeEnsemble(name, kernel, model, capacity(name, model, properties),
				properties(name, properties).refuseMissing());
	}

	/** In words. */
	private static int capacity(String name, Model model, RingKernelModelsProperties properties) {
		DataSize capacity = properties(name, properties).capacity();
		long size = (long) model.image().length() * Long.BYTES;
		long most = (long) EnsembleImage.MAX_WORDS * Long.BYTES;
		if (capacity == null) {
			return (int) (Math.min(most, Math.max(LEAST_CAPACITY, 2 * size)) / Long.BYTES);
		}
		if (capacity.toBytes() < size || capacity.toBytes() > most) {
			throw new InvalidConfigurationPropertyValueException(property(name, "capacity"), capacity,
					"The model takes %d bytes, and the most is %d. Set it to a value between them, or leave it out."
						.formatted(size, most));
		}
		return (int) (capacity.toBytes() / Long.BYTES);
	}

	private static ModelProperties properties(String name, RingKernelModelsProperties properties) {
		return Objects.requireNonNull(properties.get(name), name);
	}

	private static String property(String name, String leaf) {
		return RingKernelModelsProperties.PREFIX + "." + name + "." + leaf;
	}

}
