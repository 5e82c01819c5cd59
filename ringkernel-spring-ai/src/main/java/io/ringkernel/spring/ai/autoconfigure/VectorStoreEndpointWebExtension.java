package io.ringkernel.spring.ai.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.spring.ai.storage.StorageException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.util.MimeType;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} of {@link VectorStoreEndpoint}: a
 * snapshot that goes wrong has a status and a problem document of its own.
 *
 * @since 0.2.0
 */
@EndpointWebExtension(endpoint = VectorStoreEndpoint.class)
public final class VectorStoreEndpointWebExtension {

	private static final int STATUS_CONFLICT = 409;

	private static final MimeType PROBLEM_JSON = new MimeType("application", "problem+json");

	private final VectorStoreEndpoint endpoint;

	VectorStoreEndpointWebExtension(VectorStoreEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Copies what a store holds at one moment.
	 * @param name the name of the store's bean
	 * @param action {@code snapshot}
	 * @return where the copy is; 404 without such a store, 400 without such an action,
	 * 409 without a directory for snapshots, 500 if the copy cannot be written
	 */
	@WriteOperation
	public WebEndpointResponse<Object> act(@Selector String name, @Nullable String action) {
		try {
			Object copy = this.endpoint.act(name, String.valueOf(action));
			return (copy != null) ? new WebEndpointResponse<>(copy)
					: problem(WebEndpointResponse.STATUS_NOT_FOUND, "Not Found",
							"No vector store has that name. Use one of %s.".formatted(this.endpoint.stores().keySet()));
		}
		catch (IllegalArgumentException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, "Bad Request", ex.getMessage());
		}
		catch (StorageException ex) {
			return problem(WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR, "Internal Server Error", ex.getMessage());
		}
		catch (IllegalStateException ex) {
			return problem(STATUS_CONFLICT, "Conflict", ex.getMessage());
		}
	}

	private static WebEndpointResponse<Object> problem(int status, String title, @Nullable String detail) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("title", title);
		body.put("status", status);
		body.put("detail", String.valueOf(detail));
		return new WebEndpointResponse<>(body, status, PROBLEM_JSON);
	}

}
