package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@link Endpoint @Endpoint} that shows the platform and its kernels, and takes them
 * through their lifecycle.
 */
@Endpoint(id = "ringkernels")
public class RingKernelsEndpoint {

	private final RingKernelRuntime runtime;

	/**
	 * Creates the endpoint.
	 * @param runtime the runtime whose kernels it shows
	 */
	public RingKernelsEndpoint(RingKernelRuntime runtime) {
		this.runtime = runtime;
	}

	/**
	 * The platform, the plan that was made for it, and all kernels.
	 * @return names and values: {@code platform}, with the {@code plan}, and
	 * {@code kernels} by id
	 */
	@ReadOperation
	public Map<String, Object> ringKernels() {
		Map<String, Object> platform = new LinkedHashMap<>(this.runtime.plan().platform());
		platform.put("plan", KernelDetails.of(this.runtime.plan()));
		Map<String, Object> kernels = new LinkedHashMap<>();
		this.runtime.kernels().forEach((kernel) -> kernels.put(kernel.id(), KernelDetails.of(kernel.status())));
		Map<String, Object> body = new LinkedHashMap<>();
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
		return this.runtime.kernel(id).map(RingKernelsEndpoint::statusOf).orElse(null);
	}

	/**
	 * Takes a kernel to another state.
	 * @param id its id
	 * @param action {@code activate}, {@code deactivate}, {@code terminate} or
	 * {@code relaunch}
	 * @return its new status as names and values; {@code null} if there is none with that
	 * id
	 * @throws IllegalArgumentException if there is no such action
	 * @throws io.ringkernel.RingKernelException if the kernel cannot do that
	 */
	@WriteOperation
	public @Nullable Map<String, Object> act(@Selector String id, String action) {
		Kernel<?, ?> kernel = this.runtime.kernel(id).orElse(null);
		if (kernel == null) {
			return null;
		}
		KernelAction.of(action)
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no action '%s'. Use one of %s.".formatted(action, KernelAction.names())))
			.perform(kernel);
		return statusOf(kernel);
	}

	private static Map<String, Object> statusOf(Kernel<?, ?> kernel) {
		return body(KernelDetails.of(kernel.status()));
	}

	private static Map<String, Object> body(Map<String, Object> body) {
		return OperationResponseBody.of(body);
	}

}
