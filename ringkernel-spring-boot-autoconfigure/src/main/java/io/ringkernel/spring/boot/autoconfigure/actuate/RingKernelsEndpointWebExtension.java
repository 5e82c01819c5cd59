package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.IllegalKernelStateException;
import io.ringkernel.RingKernelException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.util.MimeType;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} of {@link RingKernelsEndpoint}: what
 * goes wrong has a status and a problem document of its own.
 */
@EndpointWebExtension(endpoint = RingKernelsEndpoint.class)
public class RingKernelsEndpointWebExtension {

	private static final int STATUS_CONFLICT = 409;

	private static final MimeType PROBLEM_JSON = new MimeType("application", "problem+json");

	private final RingKernelsEndpoint endpoint;

	/**
	 * Creates the extension.
	 * @param endpoint the endpoint
	 */
	public RingKernelsEndpointWebExtension(RingKernelsEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * One kernel.
	 * @param id its id
	 * @return its status; 404 if there is none with that id
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> ringKernel(@Selector String id) {
		return found(id, this.endpoint.ringKernel(id));
	}

	/**
	 * The ring of a kernel while it is in use.
	 * @param id the kernel's id
	 * @param view {@code ring}
	 * @return its slots, its control block, and what contradicts the protocol; 404 if
	 * there is no such kernel or view, or if the kernel has no ring in its present state
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> ring(@Selector String id, @Selector String view) {
		Map<String, Object> kernel = this.endpoint.ringKernel(id);
		Map<String, Object> ring = this.endpoint.ring(id, view);
		if (kernel == null || ring != null) {
			return found(id, ring);
		}
		return problem(WebEndpointResponse.STATUS_NOT_FOUND, "Not Found", view.equals(RingKernelsEndpoint.RING)
				? "Ring kernel '%s' is %s and has no ring. Relaunch it.".formatted(id, kernel.get("state"))
				: "There is no view '%s' of a ring kernel. Use '%s'.".formatted(view, RingKernelsEndpoint.RING));
	}

	/**
	 * Takes a kernel to another state.
	 * @param id its id
	 * @param action {@code activate}, {@code deactivate}, {@code terminate} or
	 * {@code relaunch}
	 * @return its new status; 404 if there is none with that id, 400 if there is no such
	 * action, 409 if its state does not allow it, 500 if it failed
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, Object>> act(@Selector String id, @Nullable String action) {
		if (this.endpoint.ringKernel(id) == null) {
			return found(id, null);
		}
		if (action == null || KernelAction.of(action).isEmpty()) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, "Bad Request",
					(action != null) ? "There is no action '%s'. Use one of %s.".formatted(action, KernelAction.names())
							: "The action is missing. Use one of %s.".formatted(KernelAction.names()));
		}
		try {
			return found(id, this.endpoint.act(id, action));
		}
		catch (IllegalKernelStateException ex) {
			return problem(STATUS_CONFLICT, "Conflict", ex.getMessage());
		}
		catch (RingKernelException ex) {
			return problem(WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR, "Internal Server Error", ex.getMessage());
		}
	}

	private static WebEndpointResponse<Map<String, Object>> found(String id, @Nullable Map<String, Object> status) {
		return (status != null) ? new WebEndpointResponse<>(status) : problem(WebEndpointResponse.STATUS_NOT_FOUND,
				"Not Found", "There is no ring kernel '%s'.".formatted(id));
	}

	private static WebEndpointResponse<Map<String, Object>> problem(int status, String title, @Nullable String detail) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("title", title);
		body.put("status", status);
		body.put("detail", String.valueOf(detail));
		return new WebEndpointResponse<>(body, status, PROBLEM_JSON);
	}

}
