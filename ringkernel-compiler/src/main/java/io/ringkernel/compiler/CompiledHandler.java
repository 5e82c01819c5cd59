package io.ringkernel.compiler;

import java.util.List;

import io.ringkernel.backend.FailurePoint;

/**
 * A handler for a device.
 *
 * @param ptx the text of its function, which is spliced into that of a worker
 * @param failures what its codes of failure mean: code 1 is the first
 * @since 0.2.0
 */
public record CompiledHandler(String ptx, List<FailurePoint> failures) {

	/**
	 * Creates the result of a compilation.
	 * @param ptx the text of its function
	 * @param failures what its codes of failure mean
	 */
	public CompiledHandler {
		failures = List.copyOf(failures);
	}

}
