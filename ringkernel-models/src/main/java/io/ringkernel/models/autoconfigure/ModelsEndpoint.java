package io.ringkernel.models.autoconfigure;

import java.util.Map;
import java.util.TreeMap;

import io.ringkernel.models.ModelStatus;
import io.ringkernel.models.TreeEnsemble;
import io.ringkernel.models.forest.InvalidModelException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/ringkernelmodels}: which model each ensemble serves, by the name of
 * its bean. The action {@value #RELOAD} of {@code /actuator/ringkernelmodels/{name}}
 * reads the file of its {@code location} again. Who may do that has to be said: access is
 * read-only by default.
 *
 * @since 0.2.0
 */
@Endpoint(id = "ringkernelmodels", defaultAccess = Access.READ_ONLY)
public final class ModelsEndpoint {

	/**
	 * The action that reads a file again. A POST without it would need no JSON, so a form
	 * of another site could send it.
	 */
	static final String RELOAD = "reload";

	static final String NO_SUCH_ACTION = "The action is none that a model has. Use '%s'.".formatted(RELOAD);

	private final Map<String, TreeEnsemble> ensembles;

	private final RingKernelModelsProperties properties;

	ModelsEndpoint(Map<String, TreeEnsemble> ensembles, RingKernelModelsProperties properties) {
		this.ensembles = Map.copyOf(ensembles);
		this.properties = properties;
	}

	/**
	 * {@return what each ensemble serves, by the name of its bean}
	 */
	@ReadOperation
	public Map<String, ModelStatus> models() {
		Map<String, ModelStatus> all = new TreeMap<>();
		this.ensembles.forEach((name, ensemble) -> all.put(name, ensemble.status()));
		return all;
	}

	/**
	 * {@return what an ensemble serves; {@code null} if there is no such ensemble}
	 * @param name the name of its bean
	 */
	@ReadOperation
	public @Nullable ModelStatus model(@Selector String name) {
		TreeEnsemble ensemble = this.ensembles.get(name);
		return (ensemble != null) ? ensemble.status() : null;
	}

	/**
	 * Reads the file of an ensemble again and puts the model into service.
	 * @param name the name of its bean
	 * @param action {@value #RELOAD}
	 * @return what it serves now; {@code null} if no ensemble with that name has a
	 * location
	 * @throws IllegalArgumentException if there is no such action
	 * @throws InvalidModelException if the model is refused; the one before stays in
	 * service
	 */
	@WriteOperation
	public @Nullable ModelStatus act(@Selector String name, String action) {
		TreeEnsemble ensemble = this.ensembles.get(name);
		ModelProperties model = this.properties.get(name);
		if (ensemble == null || model == null || model.location() == null) {
			return null;
		}
		if (!action.equals(RELOAD)) {
			throw new IllegalArgumentException(NO_SUCH_ACTION);
		}
		ensemble.reload(model.location());
		return ensemble.status();
	}

}
