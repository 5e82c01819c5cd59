package io.ringkernel.cuda.transport;

import java.util.List;

import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;

/**
 * The ring lies in device memory, and copies around the launches of the kernel keep it in
 * step with the host's. It works everywhere.
 */
final class BridgedTransportProvider implements TransportProvider {

	@Override
	public Transport transport() {
		return Transport.BRIDGED;
	}

	@Override
	public List<ExecutionMode> modes() {
		return List.of(ExecutionMode.EVENT_DRIVEN);
	}

	@Override
	public boolean answersAtTheEnd() {
		return true;
	}

	@Override
	public RingTransport open(Session session) {
		return new EventDrivenBridge(DeviceRegion.open(session), session.isHeard());
	}

}
