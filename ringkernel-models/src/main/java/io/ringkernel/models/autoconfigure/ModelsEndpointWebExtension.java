package io.ringkernel.models.autoconfigure;

import java.util.Map;

import io.ringkernel.models.ModelStatus;
import io.ringkernel.models.forest.InvalidModelException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.util.MimeType;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} of {@link ModelsEndpoint}: a model
 * that is refused has a status and a problem document of its own.
 *
 * @since 0.2.0
 */
@EndpointWebExtension(endpoint = ModelsEndpoint.class)
public final class ModelsEndpointWebExtension {

	private static final int STATUS_UNPROCESSABLE = 422;

	private static final MimeType PROBLEM_JSON = new MimeType("application", "problem+json");

	private final ModelsEndpoint endpoint;

	ModelsEndpointWebExtension(ModelsEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Reads the file of an ensemble again and puts the model into service.
	 * @param name the name of its bean
	 * @param action {@code reload}
	 * @return what it serves now; 404 if there is no such ensemble, 400 if there is no
	 * such action, 422 if the model is refused
	 */
	@WriteOperation
	public WebEndpointResponse<Object> act(@Selector String name, @Nullable String action) {
		if (!ModelsEndpoint.RELOAD.equals(action)) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, "Bad Request", ModelsEndpoint.NO_SUCH_ACTION);
		}
		try {
			ModelStatus status = this.endpoint.act(name, ModelsEndpoint.RELOAD);
			return (status != null) ? new WebEndpointResponse<>(status) : problem(WebEndpointResponse.STATUS_NOT_FOUND,
					"Not Found", "No model has that name. Use one of %s.".formatted(this.endpoint.models().keySet()));
		}
		catch (InvalidModelException ex) {
			return problem(STATUS_UNPROCESSABLE, "Model Refused", String.valueOf(ex.getMessage()));
		}
	}

	private static WebEndpointResponse<Object> problem(int status, String title, String detail) {
		return new WebEndpointResponse<>(Map.of("title", title, "status", status, "detail", detail), status,
				PROBLEM_JSON);
	}

}
