package io.ringkernel.cuda.transport;

import java.util.List;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.memory.DeviceResources;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import org.jspecify.annotations.Nullable;

/**
 * All that is particular about one transport: on which platforms it works, how kernels
 * are launched over it, and how it is opened for a ring.
 *
 * @since 0.2.0
 */
public interface TransportProvider {

	/**
	 * What it is called in plans and in the configuration.
	 */
	Transport transport();

	/**
	 * The modes that it serves, best first.
	 */
	List<ExecutionMode> modes();

	/**
	 * What stands against it on a platform; {@code null} if nothing does.
	 */
	default @Nullable Obstacle obstacle(DeviceProperties device, Behaviour behaviour) {
		return null;
	}

	/**
	 * Whether what a kernel has answered comes back only once it has ended, so that it is
	 * to end as soon as it finds nothing.
	 */
	default boolean answersAtTheEnd() {
		return false;
	}

	/**
	 * Opens it for one session. Only called while no kernel runs.
	 */
	RingTransport open(Session session);

	/**
	 * What a transport is opened for.
	 *
	 * @param id the kernel
	 * @param region the host's region
	 * @param ring its memory
	 * @param stream the kernel's stream
	 * @param resources those of the device
	 * @param isHeard whether anything can reach the kernel while it runs
	 */
	record Session(String id, KernelRegion region, CudaRingMemory ring, CudaStream stream, DeviceResources resources,
			boolean isHeard) {
	}

}
