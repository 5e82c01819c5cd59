package io.ringkernel.cuda.transport;

import java.util.List;

import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;

/**
 * The ring lies in device memory, and copies keep it in step with the host's. It works
 * everywhere.
 */
final class BridgedTransportProvider implements TransportProvider {

	@Override
	public Transport transport() {
		return Transport.BRIDGED;
	}

	@Override
	public List<Offer> offers() {
		return List.of(new Offer(ExecutionMode.EVENT_DRIVEN, false), new Offer(ExecutionMode.PERSISTENT, true));
	}

	@Override
	public boolean answersAtTheEnd() {
		return true;
	}

	@Override
	public RingTransport open(Session session) {
		BridgedRegion region = BridgedRegion.open(session.resources(), session.region(), session.ring(),
				session.stream());
		return (session.mode() == ExecutionMode.PERSISTENT) ? new PersistentBridge(region)
				: new EventDrivenBridge(region, session.isHeard(), session.spinNanos());
	}

}
