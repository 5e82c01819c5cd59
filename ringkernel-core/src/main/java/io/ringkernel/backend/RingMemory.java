package io.ringkernel.backend;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.ringkernel.message.MessageBuffer;

/**
 * Memory that a ring lies in.
 */
public interface RingMemory extends AutoCloseable {

	/**
	 * The memory, as the host sees it.
	 * @return views over it
	 */
	MessageBuffer buffer();

	/**
	 * Gives the memory back. Only called once no loop can reach it. A thread of the host
	 * that took the kernel for active a moment ago may still look at the buffer: what it
	 * shows must stay mapped for as long as the buffer is reachable.
	 */
	@Override
	void close();

	/**
	 * Memory of this process, freed when it is no longer reachable.
	 * @param bytes how much
	 * @return the memory, zeroed
	 */
	static RingMemory direct(int bytes) {
		return of(MessageBuffer.allocate(bytes));
	}

	/**
	 * A mapped file, which another process can map as well; unmapped when it is no longer
	 * reachable. The file is left to the caller.
	 * @param file the file; created, or emptied if it exists
	 * @param bytes how much
	 * @return the memory, zeroed
	 * @throws IOException if the file cannot be created or mapped
	 */
	static RingMemory mapped(Path file, int bytes) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
			ByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
			return of(MessageBuffer.wrap(map));
		}
	}

	private static RingMemory of(MessageBuffer buffer) {
		return new RingMemory() {

			@Override
			public MessageBuffer buffer() {
				return buffer;
			}

			@Override
			public void close() {
				// The garbage collector frees it; nothing to unregister.
			}

		};
	}

}
