package io.ringkernel.cuda.host.wire;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.stream.Stream;

import io.ringkernel.backend.RingMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that a ring lies in, and that one kernel host after the other maps.
 * <p>
 * <strong>It leaves nothing behind.</strong> Under Linux, the file has no name any more
 * once it is made: other processes of this user reach it through the descriptor that this
 * process keeps open. However the processes end, the system then takes the memory back.
 * Where there are no such descriptors, or other processes may not open them because this
 * JVM is not dumpable, the file keeps its name until it is closed. It then stays behind
 * if this process is killed.
 *
 * @since 0.2.0
 */
public final class RingFile implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RingFile.class);

	private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

	private final FileChannel channel;

	private final RingMemory memory;

	private final Path path;

	private RingFile(FileChannel channel, RingMemory memory, Path path) {
		this.channel = channel;
		this.memory = memory;
		this.path = path;
	}

	/**
	 * Makes a file of whole pages and maps it.
	 * @throws IOException if it cannot be made, or there is no room for it
	 */
	public static RingFile create(Path directory, int bytes) throws IOException {
		Path file = directory.toRealPath().resolve("ringkernel-" + UUID.randomUUID() + ".ring");
		RingFile created = null;
		FileChannel channel = null;
		try {
			RingMemory memory = RingMemory.mapped(file, bytes);
			channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
			created = new RingFile(channel, memory, findable(file, DESCRIPTORS));
			return created;
		}
		finally {
			if (created == null && channel != null) {
				channel.close();
			}
			if (created == null || !created.path.equals(file)) {
				delete(file);
			}
		}
	}

	/**
	 * Where other processes find an open file: at its descriptor, or else by its name.
	 * The descriptors of a process that is not dumpable belong to root, and its own user
	 * may not open them from another process.
	 */
	static Path findable(Path file, Path descriptors) throws IOException {
		if (!Files.isDirectory(descriptors) || !Files.getOwner(descriptors).equals(Files.getOwner(file))) {
			return file;
		}
		try (Stream<Path> open = Files.list(descriptors)) {
			for (Path descriptor : open.toList()) {
				if (leadsTo(descriptor, file)) {
					return Path.of("/proc", String.valueOf(ProcessHandle.current().pid()), "fd",
							descriptor.getFileName().toString());
				}
			}
		}
		return file;
	}

	/** Another thread may close a descriptor before it is read. */
	private static boolean leadsTo(Path descriptor, Path file) throws IOException {
		try {
			return Files.readSymbolicLink(descriptor).equals(file);
		}
		catch (NoSuchFileException | NotLinkException ex) {
			return false;
		}
	}

	/**
	 * Maps the file of another process, by its {@link #path()}.
	 * @throws IOException if that process has closed it, or it cannot be mapped
	 */
	public static RingMemory map(Path path, int bytes) throws IOException {
		if (!path.startsWith("/proc")) {
			return RingMemory.shared(path, bytes);
		}
		try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			return RingMemory.shared(channel, bytes);
		}
	}

	public RingMemory memory() {
		return this.memory;
	}

	/** Where other processes of this user find the file, until it is closed. */
	public Path path() {
		return this.path;
	}

	/** Other processes cannot map the file any more. What is mapped stays so. */
	@Override
	public void close() {
		try {
			this.channel.close();
		}
		catch (IOException ex) {
			logger.warn("The descriptor of a ring is not closed: {}", ex.toString());
		}
		if (!this.path.startsWith("/proc")) {
			delete(this.path);
		}
		this.memory.close();
	}

	private static void delete(Path file) {
		try {
			Files.deleteIfExists(file);
		}
		catch (IOException ex) {
			logger.warn("The file {} stays behind: {}", file, ex.toString());
		}
	}

}
