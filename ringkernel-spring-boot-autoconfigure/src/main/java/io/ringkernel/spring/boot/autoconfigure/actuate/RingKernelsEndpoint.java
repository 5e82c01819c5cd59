package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@link Endpoint @Endpoint} that shows the platform and its kernels, and takes them
 * through their lifecycle. Who may do the latter has to be said: access to it is
 * read-only by default.
 *
 * @since 0.1.0
 */
@Endpoint(id = RingKernelsEndpoint.ID, defaultAccess = Access.READ_ONLY)
public class RingKernelsEndpoint {

	/** What the endpoint is called. */
	static final String ID = "ringkernels";

	/** The view of a kernel's ring. */
	static final String RING = "ring";

	/** The view of what a device runs for a kernel. */
	static final String CODE = "code";

	/** Longer than any id or action. */
	private static final int MAX_ECHO = 64;

	private final RingKernelRuntime runtime;

	private final boolean showValues;

	/**
	 * Creates an endpoint that shows no messages of errors.
	 * @param runtime the runtime whose kernels it shows
	 */
	public RingKernelsEndpoint(RingKernelRuntime runtime) {
		this(runtime, Show.NEVER);
	}

	/**
	 * Creates the endpoint.
	 * @param runtime the runtime whose kernels it shows
	 * @param showValues when it shows the messages of a kernel's last errors
	 * @since 0.2.0
	 */
	public RingKernelsEndpoint(RingKernelRuntime runtime, Show showValues) {
		this.runtime = runtime;
		this.showValues = showValues == Show.ALWAYS;
	}

	/**
	 * The platform, the plan that was made for it, and all kernels.
	 * @return names and values: {@code platform}, with the {@code plan} and the kernel
	 * {@code hosts}, and {@code kernels} by id
	 */
	@ReadOperation
	public Map<String, Object> ringKernels() {
		return ringKernels(this.showValues);
	}

	Map<String, Object> ringKernels(boolean showValues) {
		Map<String, Object> kernels = new LinkedHashMap<>();
		this.runtime.kernels().forEach((kernel) -> kernels.put(kernel.id(), KernelDetails.of(kernel, showValues)));
		Map<String, Object> body = new LinkedHashMap<>();
		Map<String, Object> platform = KernelDetails.platform(this.runtime.devices());
		HostDetails.add(platform, this.runtime.hosts());
		body.put("platform", platform);
		body.put("kernels", kernels);
		return body(body);
	}

	/**
	 * One kernel.
	 * @param id its id
	 * @return its status as names and values; {@code null} if there is none with that id
	 */
	@ReadOperation
	public @Nullable Map<String, Object> ringKernel(@Selector String id) {
		return ringKernel(id, this.showValues);
	}

	@Nullable Map<String, Object> ringKernel(String id, boolean showValues) {
		return this.runtime.kernel(id).map((kernel) -> body(KernelDetails.of(kernel, showValues))).orElse(null);
	}

	/**
	 * A kernel seen from nearby. {@value #RING} is its ring while it is in use: its
	 * slots, its control block, and what in them contradicts the protocol; those at work
	 * are not disturbed. {@value #CODE} is what a device runs for it: the lines of its
	 * handler beside their PTX, or why the handler is not compiled.
	 * @param id the kernel's id
	 * @param view {@value #RING} or {@value #CODE}
	 * @return names and values; {@code null} if there is no such kernel or view, or if
	 * the kernel has no ring in its present state
	 * @since 0.2.0
	 */
	@ReadOperation
	public @Nullable Map<String, Object> view(@Selector String id, @Selector String view) {
		Kernel<?, ?> kernel = this.runtime.kernel(id).orElse(null);
		if (kernel == null) {
			return null;
		}
		return switch (view) {
			case RING -> kernel.dump().map(RingDetails::of).map(RingKernelsEndpoint::body).orElse(null);
			case CODE -> body(CodeDetails.of(kernel));
			default -> null;
		};
	}

	/**
	 * Takes a kernel to another state.
	 * @param id its id
	 * @param action {@code activate}, {@code deactivate}, {@code terminate} or
	 * {@code relaunch}
	 * @return its new status as names and values; {@code null} if there is none with that
	 * id
	 * @throws IllegalArgumentException if there is no such action
	 * @throws io.ringkernel.exception.RingKernelException if the kernel cannot do that
	 */
	@WriteOperation
	public @Nullable Map<String, Object> act(@Selector String id, String action) {
		Kernel<?, ?> kernel = this.runtime.kernel(id).orElse(null);
		if (kernel == null) {
			return null;
		}
		KernelAction.of(action)
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no action '%s'. Use one of %s.".formatted(echo(action), KernelAction.names())))
			.perform(kernel);
		return ringKernel(id, this.showValues);
	}

	/** Text of a request that a response repeats, cut after some characters. */
	static String echo(String text) {
		return (text.length() > MAX_ECHO) ? text.substring(0, MAX_ECHO) + "…" : text;
	}

	private static Map<String, Object> body(Map<String, Object> body) {
		return OperationResponseBody.of(body);
	}

}
