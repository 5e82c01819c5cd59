package io.ringkernel.cuda.host;

import java.time.Duration;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.message.MessageBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that this process and a host have mapped.
 */
final class SharedRingMemory implements RingMemory {

	private static final Logger logger = LoggerFactory.getLogger(SharedRingMemory.class);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final HostProcess host;

	private final int backend;

	private final int number;

	private final RingMemory mapped;

	/**
	 * Creates it.
	 * @param backend the number of the backend in the host that has adopted it
	 * @param number the number of the memory there
	 * @param mapped the same memory in this process
	 */
	SharedRingMemory(HostProcess host, int backend, int number, RingMemory mapped) {
		this.host = host;
		this.backend = backend;
		this.number = number;
		this.mapped = mapped;
	}

	@Override
	public MessageBuffer buffer() {
		return this.mapped.buffer();
	}

	HostProcess host() {
		return this.host;
	}

	int backend() {
		return this.backend;
	}

	int number() {
		return this.number;
	}

	@Override
	public void close() {
		try {
			if (!this.host.isEnding()) {
				this.host.callUninterrupted("?", Operation.UNMAP, (out) -> out.writeInt(this.number), PATIENCE);
			}
		}
		catch (DeviceLostException ex) {
			logger.debug("The memory went with its host", ex);
		}
		this.mapped.close();
	}

}
