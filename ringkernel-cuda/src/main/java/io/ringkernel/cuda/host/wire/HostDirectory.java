package io.ringkernel.cuda.host.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a kernel host: its socket lies there, and what it unpacks. The host
 * locks a file in it for as long as it lives, and deletes the directory at its end; if
 * the host is killed, the application does. If both are killed, the directory stays
 * behind until the next host of the same user starts.
 *
 * @since 0.2.0
 */
public final class HostDirectory {

	private static final Logger logger = LoggerFactory.getLogger(HostDirectory.class);

	private static final String PREFIX = "ringkernel-host-";

	private static final String IN_USE = "in-use";

	/** A host that starts takes far less until it has locked its file. */
	private static final Duration SETTLED_AFTER = Duration.ofMinutes(10);

	private HostDirectory() {
	}

	/**
	 * Makes a directory that only this user can enter, where the file system knows users.
	 * Deletes those that were left behind.
	 */
	public static Path create(Path parent) throws IOException {
		Path created = Files.createTempDirectory(parent, PREFIX);
		sweep(created);
		return created;
	}

	/**
	 * Marks a directory as in use until the result is closed or the process ends; {@code
	 * null} if the file system has no locks.
	 */
	public static @Nullable FileChannel occupy(Path directory) throws IOException {
		FileChannel inUse = FileChannel.open(directory.resolve(IN_USE), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE);
		try {
			inUse.lock();
			return inUse;
		}
		catch (IOException ex) {
			logger.debug("{} cannot be locked", directory, ex);
			inUse.close();
			return null;
		}
	}

	/**
	 * Deletes those beside a new one that belong to its user and to no host that lives.
	 */
	private static synchronized void sweep(Path created) {
		Instant latest = Instant.now().minus(SETTLED_AFTER);
		try (DirectoryStream<Path> found = Files.newDirectoryStream(created.resolveSibling("."), PREFIX + "*")) {
			for (Path directory : found) {
				if (isLeft(directory.normalize(), created, latest)) {
					delete(directory.normalize());
				}
			}
		}
		catch (IOException | UncheckedIOException ex) {
			logger.debug("Directories of hosts that have ended stay beside {}", created, ex);
		}
	}

	private static boolean isLeft(Path directory, Path created, Instant latest) {
		try {
			return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
					&& Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(created))
					&& Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(latest)
					&& !isInUse(directory.resolve(IN_USE));
		}
		catch (IOException ex) {
			logger.debug("{} is left alone", directory, ex);
			return false;
		}
	}

	private static boolean isInUse(Path file) throws IOException {
		if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		try (FileChannel inUse = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
			return inUse.tryLock() == null;
		}
		catch (OverlappingFileLockException ex) {
			return true;
		}
	}

	/** Deletes the directory of a host. Another directory is left alone. */
	public static void delete(Path directory) {
		if (!String.valueOf(directory.getFileName()).startsWith(PREFIX) || !Files.exists(directory)) {
			return;
		}
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException | UncheckedIOException ex) {
			logger.debug("{} is gone, or stays behind", directory, ex);
		}
	}

}
