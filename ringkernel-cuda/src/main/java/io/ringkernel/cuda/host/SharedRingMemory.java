package io.ringkernel.cuda.host;

import java.time.Duration;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.message.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that this process and a host have mapped: the host of the loop that serves the
 * ring, and after that has ended the next one.
 */
final class SharedRingMemory implements RingMemory {

	private static final Logger logger = LoggerFactory.getLogger(SharedRingMemory.class);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final RingFile file;

	/** Where it is mapped besides this process. */
	private @Nullable Mapping mapping;

	/**
	 * Creates memory that no host has mapped.
	 * @param file what it lies in
	 */
	SharedRingMemory(RingFile file) {
		this.file = file;
	}

	@Override
	public MessageBuffer buffer() {
		return this.file.memory().buffer();
	}

	/**
	 * Has a host map the memory, unless it has already.
	 * @param kernelId what it is for
	 * @param host the host
	 * @param backend the number of the backend there that adopts it
	 * @return the number of the memory in that host
	 * @throws RuntimeException if the host cannot map it, or has ended
	 */
	synchronized int mapIn(String kernelId, HostProcess host, int backend) {
		Mapping known = this.mapping;
		if (known != null && known.host() == host && known.backend() == backend) {
			return known.number();
		}
		unmap();
		FrameReader answer = host.callUninterrupted(kernelId, Operation.MAP,
				(out) -> out.writeInt(backend).writeString(this.file.path().toString()).writeInt(buffer().capacity()),
				PATIENCE);
		try {
			Mapping anew = new Mapping(host, backend, answer.readInt());
			answer.end();
			this.mapping = anew;
			return anew.number();
		}
		catch (MalformedFrameException ex) {
			throw host.malformed(ex);
		}
	}

	private void unmap() {
		Mapping known = this.mapping;
		this.mapping = null;
		try {
			if (known != null && !known.host().isEnding()) {
				known.host().callUninterrupted("?", Operation.UNMAP, (out) -> out.writeInt(known.number()), PATIENCE);
			}
		}
		catch (DeviceLostException ex) {
			logger.debug("The memory went with its host", ex);
		}
	}

	@Override
	public synchronized void close() {
		unmap();
		this.file.close();
	}

	/**
	 * Where it is mapped.
	 *
	 * @param backend the number of the backend in the host that has adopted it
	 * @param number the number of the memory there
	 */
	private record Mapping(HostProcess host, int backend, int number) {
	}

}
