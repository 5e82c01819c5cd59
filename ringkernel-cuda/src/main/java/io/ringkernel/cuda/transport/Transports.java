package io.ringkernel.cuda.transport;

import java.util.List;

import io.ringkernel.platform.Transport;

/**
 * The transports of this backend.
 *
 * @since 0.2.0
 */
public final class Transports {

	/** All of them, best first. */
	public static final List<TransportProvider> ALL = List.of(new MappedTransportProvider(),
			new BridgedTransportProvider());

	private Transports() {
	}

	/**
	 * The provider of a transport.
	 * @throws IllegalArgumentException if it is none of this backend's
	 */
	public static TransportProvider of(Transport transport) {
		return ALL.stream()
			.filter((provider) -> provider.transport() == transport)
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("no ring of a CUDA kernel is " + transport));
	}

}
