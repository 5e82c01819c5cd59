package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.ringkernel.backend.RingMemory;
import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.RingFile;
import io.ringkernel.message.buffer.MessageBuffer;

/**
 * Memory that this process has mapped, and each host that a loop has served the ring in.
 * It stays mapped in these until it is closed: a loop may go on there with what a loop
 * before has left, after the memory was in use elsewhere.
 */
final class SharedRingMemory implements RingMemory {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final RingFile file;

	private boolean closed;

	/** The number of the memory in each host. */
	private final Map<HostProcess, Integer> mappings = new HashMap<>();

	SharedRingMemory(RingFile file) {
		this.file = file;
	}

	@Override
	public MessageBuffer buffer() {
		return this.file.memory().buffer();
	}

	/**
	 * Has a host map the memory, unless it has already.
	 * @param backend the number of a backend there, which adopts it
	 * @return the number of the memory in that host
	 */
	synchronized int mapIn(String kernelId, HostProcess host, int backend) {
		if (this.closed) {
			throw new IllegalStateException("The ring of '%s' is closed".formatted(kernelId));
		}
		this.mappings.keySet().removeIf(HostProcess::isEnding);
		Integer known = this.mappings.get(host);
		if (known != null) {
			return known;
		}
		int number = host.callUninterrupted(kernelId, HostOperation.MAP,
				(out) -> out.writeInt(backend).writeString(this.file.path().toString()).writeInt(buffer().capacity()),
				PATIENCE, FrameReader::readInt);
		this.mappings.put(host, number);
		return number;
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		try {
			this.mappings.forEach((host, number) -> host.callUnlessEnded("?", HostOperation.UNMAP,
					(out) -> out.writeInt(number), PATIENCE));
			this.mappings.clear();
		}
		finally {
			this.file.close();
		}
	}

}
