package io.ringkernel.cuda.driver;

import org.jspecify.annotations.Nullable;

/**
 * Is told how a stream is. Called on the thread that makes the driver's calls: it must
 * not wait.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StreamObserver {

	/**
	 * Tells how the stream is.
	 * @param done whether everything on it has ended
	 * @param failure what failed on the device, or {@code null}
	 */
	void observed(boolean done, @Nullable CudaException failure);

}
