package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.ringkernel.exception.IllegalKernelStateException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.spring.boot.autoconfigure.actuate.PathArguments.Argument;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.util.MimeType;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} of {@link RingKernelsEndpoint}: what
 * goes wrong has a status and a problem document of its own.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = RingKernelsEndpoint.class)
public class RingKernelsEndpointWebExtension {

	private static final int STATUS_CONFLICT = 409;

	private static final MimeType PROBLEM_JSON = new MimeType("application", "problem+json");

	private final RingKernelsEndpoint endpoint;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * Creates an extension that shows no messages of errors.
	 * @param endpoint the endpoint
	 */
	public RingKernelsEndpointWebExtension(RingKernelsEndpoint endpoint) {
		this(endpoint, Show.NEVER, Set.of());
	}

	/**
	 * Creates the extension.
	 * @param endpoint the endpoint
	 * @param showValues when it shows the messages of a kernel's last errors
	 * @param roles roles of which a user needs one to see them when authorized; none for
	 * every user who is authenticated
	 * @since 0.2.0
	 */
	public RingKernelsEndpointWebExtension(RingKernelsEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.showValues = showValues;
		this.roles = roles;
	}

	/**
	 * The platform, the plan that was made for it, and all kernels.
	 * @param user who asks
	 * @return names and values: {@code platform}, with the {@code plan}, and
	 * {@code kernels} by id
	 * @since 0.2.0
	 */
	@ReadOperation
	public Map<String, Object> ringKernels(SecurityContext user) {
		return this.endpoint.ringKernels(mayRead(user));
	}

	/**
	 * One kernel.
	 * @param user who asks
	 * @param id its id
	 * @return its status; 404 if there is none with that id, 400 if the request addresses
	 * another one than its path
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> ringKernel(SecurityContext user, @Selector String id) {
		String contradiction = ServletPath.contradiction(Argument.id(id));
		return (contradiction != null) ? badRequest(contradiction) : show(user, id);
	}

	WebEndpointResponse<Map<String, Object>> show(SecurityContext user, String id) {
		return found(id, this.endpoint.ringKernel(id, mayRead(user)));
	}

	/**
	 * A kernel seen from nearby: its ring while it is in use, or what a device runs for
	 * it.
	 * @param id the kernel's id
	 * @param view {@code ring} or {@code code}
	 * @return names and values; 404 if there is no such kernel or view, or if the kernel
	 * has no ring in its present state
	 * @since 0.2.0
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> view(@Selector String id, @Selector String view) {
		String contradiction = ServletPath.contradiction(Argument.id(id), Argument.view(view));
		return (contradiction != null) ? badRequest(contradiction) : show(id, view);
	}

	WebEndpointResponse<Map<String, Object>> show(String id, String view) {
		Map<String, Object> kernel = this.endpoint.ringKernel(id);
		Map<String, Object> seen = this.endpoint.view(id, view);
		if (kernel == null || seen != null) {
			return found(id, seen);
		}
		if (view.equals(RingKernelsEndpoint.RING) && kernel.get("replicas") instanceof Map<?, ?> replicas) {
			return problem(WebEndpointResponse.STATUS_NOT_FOUND, "Not Found",
					"Each replica of ring kernel '%s' has a ring of its own. Name one of %s.".formatted(id,
							replicas.keySet()));
		}
		return problem(WebEndpointResponse.STATUS_NOT_FOUND, "Not Found",
				view.equals(RingKernelsEndpoint.RING)
						? "Ring kernel '%s' is %s and has no ring. Relaunch it.".formatted(id, kernel.get("state"))
						: "There is no view '%s' of a ring kernel. Use '%s' or '%s'.".formatted(
								RingKernelsEndpoint.echo(view), RingKernelsEndpoint.RING, RingKernelsEndpoint.CODE));
	}

	/**
	 * Takes a kernel to another state.
	 * @param user who asks
	 * @param id its id
	 * @param action {@code activate}, {@code deactivate}, {@code terminate} or
	 * {@code relaunch}
	 * @return its new status; 404 if there is none with that id, 400 if there is no such
	 * action or if the request addresses another kernel than its path, 409 if its state
	 * does not allow it, 500 if it failed
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, Object>> act(SecurityContext user, @Selector String id,
			@Nullable String action) {
		String contradiction = ServletPath.contradiction(Argument.id(id));
		return (contradiction != null) ? badRequest(contradiction) : perform(user, id, action);
	}

	WebEndpointResponse<Map<String, Object>> perform(SecurityContext user, String id, @Nullable String action) {
		if (this.endpoint.ringKernel(id) == null) {
			return found(id, null);
		}
		if (action == null || KernelAction.of(action).isEmpty()) {
			return badRequest((action != null)
					? "There is no action '%s'. Use one of %s.".formatted(RingKernelsEndpoint.echo(action),
							KernelAction.names())
					: "The action is missing. Use one of %s.".formatted(KernelAction.names()));
		}
		try {
			this.endpoint.act(id, action);
			return found(id, this.endpoint.ringKernel(id, mayRead(user)));
		}
		catch (IllegalKernelStateException ex) {
			return problem(STATUS_CONFLICT, "Conflict", ex.getMessage());
		}
		catch (RingKernelException ex) {
			return problem(WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR, "Internal Server Error", ex.getMessage());
		}
	}

	private boolean mayRead(SecurityContext user) {
		return this.showValues.isShown(user, this.roles);
	}

	static WebEndpointResponse<Map<String, Object>> badRequest(String detail) {
		return problem(WebEndpointResponse.STATUS_BAD_REQUEST, "Bad Request", detail);
	}

	private static WebEndpointResponse<Map<String, Object>> found(String id, @Nullable Map<String, Object> status) {
		return (status != null) ? new WebEndpointResponse<>(status) : problem(WebEndpointResponse.STATUS_NOT_FOUND,
				"Not Found", "There is no ring kernel '%s'.".formatted(RingKernelsEndpoint.echo(id)));
	}

	private static WebEndpointResponse<Map<String, Object>> problem(int status, String title, @Nullable String detail) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("title", title);
		body.put("status", status);
		body.put("detail", String.valueOf(detail));
		return new WebEndpointResponse<>(body, status, PROBLEM_JSON);
	}

}
