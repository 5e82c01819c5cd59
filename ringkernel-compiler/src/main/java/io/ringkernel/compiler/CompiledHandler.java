package io.ringkernel.compiler;

import java.nio.ByteBuffer;
import java.util.List;

import io.ringkernel.backend.FailurePoint;

/**
 * A handler for a device.
 *
 * @param ptx the text of its function, which is spliced into that of a worker
 * @param failures what its codes of failure mean: code 1 is the first
 * @param stateBytes how much memory the handler keeps from request to request, in bytes
 * @param initialState the first bytes of that, little-endian, direct and read-only; all
 * others are zero
 * @param scratchBytes how much memory a worker lends it for one request, in bytes
 * @param places where in that memory it keeps what
 * @since 0.2.0
 */
public record CompiledHandler(String ptx, List<FailurePoint> failures, long stateBytes, ByteBuffer initialState,
		int scratchBytes, StatePlaces places) {

	/**
	 * What the state begins with.
	 * @return the bytes, from position 0
	 */
	@Override
	public ByteBuffer initialState() {
		return this.initialState.duplicate();
	}

}
