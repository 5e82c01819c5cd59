package io.ringkernel.backend;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.RingLayout;

/**
 * Memory that a ring lies in.
 *
 * @since 0.1.0
 */
public interface RingMemory extends AutoCloseable {

	/**
	 * {@return views over the memory, as the host sees it}
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
	 * Memory of this process, aligned to a line of {@value RingLayout#LINE_BYTES} bytes
	 * and freed when it is no longer reachable.
	 * @param bytes the size
	 * @return the memory, zeroed
	 */
	static RingMemory direct(int bytes) {
		// Room to round up both the address and the size.
		ByteBuffer memory = ByteBuffer.allocateDirect(Math.addExact(bytes, 2 * RingLayout.LINE_BYTES));
		return of(MessageBuffer.wrap(memory.alignedSlice(RingLayout.LINE_BYTES).slice(0, bytes)));
	}

	/**
	 * A mapped file, which another process of this user can map as well; unmapped when it
	 * is no longer reachable. Only its owner can read and write the file, where the file
	 * system has POSIX permissions. The caller deletes it.
	 * @param file the file to create
	 * @param bytes the size
	 * @return the memory, zeroed
	 * @throws FileAlreadyExistsException if there is a file or a symbolic link: its owner
	 * could read or replace the requests
	 * @throws IOException if the file cannot be created or mapped, or the file system has
	 * too little room for it
	 */
	static RingMemory mapped(Path file, int bytes) throws IOException {
		Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
				StandardOpenOption.WRITE);
		try (FileChannel channel = FileChannel.open(file, options, ownerOnly(file))) {
			fill(channel, bytes);
			return of(MessageBuffer.wrap(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes)));
		}
	}

	/**
	 * Maps a file that another process of this user has created with {@link #mapped}.
	 * @param file the file, which may be deleted once this returns
	 * @param bytes its size
	 * @return the memory, which both processes see
	 * @throws IOException if there is no such file, it has another size or is a symbolic
	 * link, or it cannot be mapped
	 * @since 0.2.0
	 */
	static RingMemory shared(Path file, int bytes) throws IOException {
		Set<OpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
		try (FileChannel channel = FileChannel.open(file, options)) {
			return shared(channel, bytes);
		}
	}

	/**
	 * Maps a file that is open.
	 * @param channel the file, for reading and writing; it may be closed once this
	 * returns
	 * @param bytes its size
	 * @return the memory, which all processes see that map the file
	 * @throws IOException if the file has another size, or cannot be mapped
	 * @since 0.2.0
	 */
	static RingMemory shared(FileChannel channel, int bytes) throws IOException {
		if (channel.size() != bytes) {
			throw new IOException("The file has %d B where %d B are expected".formatted(channel.size(), bytes));
		}
		return of(MessageBuffer.wrap(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes)));
	}

	/**
	 * Writes all bytes once: a store into a page that the file system has no room for
	 * ends the process with SIGBUS, and a write fails.
	 */
	private static void fill(FileChannel channel, int bytes) throws IOException {
		ByteBuffer zeros = ByteBuffer.allocate(Math.min(bytes, 1 << 20));
		for (long position = 0; position < bytes; position += zeros.limit()) {
			zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - position));
			while (zeros.hasRemaining()) {
				channel.write(zeros, position + zeros.position());
			}
		}
	}

	private static FileAttribute<?>[] ownerOnly(Path file) {
		return file.getFileSystem().supportedFileAttributeViews().contains("posix")
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")) }
				: new FileAttribute<?>[0];
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
