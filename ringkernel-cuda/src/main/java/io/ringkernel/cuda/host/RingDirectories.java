package io.ringkernel.cuda.host;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.ringkernel.cuda.host.wire.RingFile;
import io.ringkernel.exception.KernelLaunchException;
import org.jspecify.annotations.Nullable;

/**
 * The directories in which the files of rings are made: each ring goes to the first that
 * has room for it.
 * <p>
 * <strong>Only memory will do.</strong> The system writes a file on a disk back again and
 * again, and refuses a driver that locks its pages. So the temporary directory, which
 * stands in for shared memory without room, counts only if it lies in memory as well.
 */
record RingDirectories(List<Path> directories) {

	/** A ring of the default size and its control block take about half of it. */
	static final long LEAST_ROOM = 8 << 20;

	private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

	/** The directory of the options, and what stands in for it. */
	static RingDirectories of(HostOptions options) {
		List<Path> directories = new ArrayList<>(List.of(options.directory()));
		Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
		if (options.directory().equals(HostOptions.SHARED_MEMORY) && isInMemory(temporary)) {
			directories.add(temporary);
		}
		return new RingDirectories(directories);
	}

	private static boolean isInMemory(Path directory) {
		try {
			return IN_MEMORY.contains(Files.getFileStore(directory).type());
		}
		catch (IOException ex) {
			// Whatever it is, no ring can lie there.
			return false;
		}
	}

	/**
	 * Makes the file of a ring of whole pages.
	 * @throws NoRoomException if no directory has room for it: says how much each has
	 * @throws KernelLaunchException if the thread was interrupted, which it then still is
	 */
	RingFile create(String kernelId, long bytes) {
		NoRoomException failure = new NoRoomException(kernelId, bytes, rooms());
		for (Path directory : this.directories) {
			try {
				if (room(directory) >= bytes && bytes <= Integer.MAX_VALUE) {
					return RingFile.create(directory, (int) bytes);
				}
			}
			catch (ClosedByInterruptException ex) {
				throw new KernelLaunchException(kernelId, "its launch was interrupted. Try again.", ex);
			}
			catch (IOException ex) {
				failure.addSuppressed(ex);
			}
		}
		throw failure;
	}

	/** Why rings cannot be files here, as far as that is known before there is one. */
	@Nullable String obstacle() {
		boolean fits = this.directories.stream().anyMatch((directory) -> room(directory) >= LEAST_ROOM);
		return fits ? null : "no directory has room for rings: " + rooms();
	}

	private String rooms() {
		return this.directories.stream()
			.map((directory) -> "%s has %d kB left".formatted(directory, room(directory) >> 10))
			.collect(Collectors.joining(", "));
	}

	/** In bytes; none where no file can be made. */
	private static long room(Path directory) {
		try {
			FileStore store = Files.getFileStore(directory);
			return Files.isWritable(directory) ? store.getUsableSpace() : 0;
		}
		catch (IOException ex) {
			// There is no such directory.
			return 0;
		}
	}

}
