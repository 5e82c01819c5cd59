package io.ringkernel.cuda.memory;

import java.time.Duration;
import java.util.function.Supplier;

import io.ringkernel.exception.KernelLaunchException;

/**
 * Moments at which no kernel runs on a device. The driver holds up some of its calls at
 * any other time.
 *
 * @since 0.2.0
 */
public interface Quiescence {

	/**
	 * Does something while no kernel runs, and none is launched.
	 * @param patience how long the kernels that run may take to yield
	 * @throws KernelLaunchException if there is no such moment in time
	 */
	<T> T during(String id, Duration patience, Supplier<T> body);

	/** Gives back what waits for it, if this is such a moment. Waits for nothing. */
	void reclaim();

}
