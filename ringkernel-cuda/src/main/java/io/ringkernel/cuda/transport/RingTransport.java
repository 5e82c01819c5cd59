package io.ringkernel.cuda.transport;

import io.ringkernel.cuda.driver.DevicePointer;
import org.jspecify.annotations.Nullable;

/**
 * How the ring of one session gets to the device.
 *
 * @since 0.2.0
 */
public interface RingTransport {

	/**
	 * Where the kernel finds the memory, the control block at its start.
	 */
	DevicePointer memory();

	/**
	 * What carries the bytes of the ring; {@code null} if the device reaches the host's
	 * memory itself, so that nothing has to.
	 */
	default @Nullable Carrier carrier() {
		return null;
	}

	/**
	 * Gives back what the transport holds itself. Only called once no launch can reach
	 * it; other kernels may run.
	 */
	void release();

}
