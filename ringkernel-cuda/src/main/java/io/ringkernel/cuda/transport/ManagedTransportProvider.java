package io.ringkernel.cuda.transport;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.memory.DeviceResources;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The ring lies in managed memory, which host and device reach by one address.
 */
final class ManagedTransportProvider implements TransportProvider {

	@Override
	public Transport transport() {
		return Transport.MANAGED;
	}

	@Override
	public List<Offer> offers() {
		return List.of(new Offer(ExecutionMode.PERSISTENT, true), new Offer(ExecutionMode.EVENT_DRIVEN, true));
	}

	@Override
	public @Nullable Obstacle obstacle(DeviceProperties device, Behaviour behaviour) {
		return device.concurrentManagedAccess() ? null : new Obstacle(
				"the device cannot access managed memory while the host does, which no device can under WSL2 and Windows",
				Obstacle.AUTO_TRANSPORT);
	}

	@Override
	public CudaRingMemory allocate(DeviceResources resources, String id, int bytes, Duration patience) {
		return CudaRingMemory.managed(resources, id, bytes, patience);
	}

	@Override
	public RingTransport open(Session session) {
		return new MappedTransport(
				Objects.requireNonNull(session.ring().managed(), "the ring does not lie in managed memory"));
	}

}
