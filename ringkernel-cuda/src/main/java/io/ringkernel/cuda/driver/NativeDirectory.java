package io.ringkernel.cuda.driver;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The private directory that JCuda unpacks its native libraries into.
 * <p>
 * JCuda unpacks to a fixed name below {@code java.io.tmpdir} and loads whatever lies
 * there already, which any local user can prepare. So that property names a fresh
 * directory, which only this user can enter, while JCuda's classes initialize. The
 * process holds a lock on a file in its directory: a directory whose lock is free is one
 * that a killed process has left behind, and the next process removes it.
 */
final class NativeDirectory {

	private static final Logger logger = LoggerFactory.getLogger(NativeDirectory.class);

	private static final String TEMPORARY = "java.io.tmpdir";

	private static final String PREFIX = "ringkernel-natives-";

	private static final String LOCK = "in-use";

	/** The names of JCuda's libraries contain it, on every platform. */
	private static final String LIBRARY = "JCuda";

	/** A younger directory may belong to a process that is about to lock it. */
	private static final Duration GRACE = Duration.ofMinutes(1);

	/** Held until the process ends, which releases them however it ends. */
	private static final List<FileLock> locks = new ArrayList<>();

	private NativeDirectory() {
	}

	/**
	 * Runs what makes JCuda load a library.
	 * @throws UncheckedIOException if there is no place for a directory
	 */
	static synchronized void unpackInto(Runnable loading) {
		String before = System.getProperty(TEMPORARY);
		Path directory = create();
		removeAbandoned(Path.of(before), directory);
		try {
			System.setProperty(TEMPORARY, directory.toString());
			loading.run();
		}
		finally {
			System.setProperty(TEMPORARY, before);
			clear(directory);
		}
	}

	private static Path create() {
		try {
			Path directory = Files.createTempDirectory(PREFIX);
			directory.toFile().deleteOnExit();
			hold(directory);
			return directory;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void hold(Path directory) throws IOException {
		Path file = Files.createFile(directory.resolve(LOCK));
		file.toFile().deleteOnExit();
		FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
		try {
			locks.add(channel.lock());
		}
		catch (IOException ex) {
			channel.close();
			logger.debug("The file system of {} has no locks: the directory stays if this process is killed", directory,
					ex);
		}
	}

	/** Removes the directories that killed processes of this user have left behind. */
	private static void removeAbandoned(Path temporary, Path own) {
		try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, PREFIX + "*")) {
			UserPrincipal user = Files.getOwner(own);
			for (Path directory : found) {
				if (!directory.equals(own) && isAbandoned(directory, user)) {
					clear(directory);
					delete(directory.resolve(LOCK));
					delete(directory);
				}
			}
		}
		catch (IOException ex) {
			logger.debug("Directories of killed processes stay in {}", temporary, ex);
		}
	}

	private static boolean isAbandoned(Path directory, UserPrincipal user) {
		try {
			return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && Files.getOwner(directory).equals(user)
					&& Files.getLastModifiedTime(directory).toInstant().isBefore(Instant.now().minus(GRACE))
					&& isFree(directory.resolve(LOCK));
		}
		catch (IOException ex) {
			// It is being removed by another process, or was made by an earlier version.
			logger.debug("{} is left alone", directory, ex);
			return false;
		}
	}

	private static boolean isFree(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
				FileLock lock = channel.tryLock()) {
			return lock != null;
		}
		catch (OverlappingFileLockException ex) {
			// Another class loader of this process holds it.
			return false;
		}
	}

	/**
	 * Deletes the libraries: one that is loaded does not need its name any more. Another
	 * thread may have read the property meanwhile, so what it has put there stays, and so
	 * does the directory until the process ends.
	 */
	private static void clear(Path directory) {
		try (DirectoryStream<Path> libraries = Files.newDirectoryStream(directory, "*" + LIBRARY + "*")) {
			libraries.forEach(NativeDirectory::delete);
		}
		catch (IOException ex) {
			logger.debug("JCuda's libraries stay in {}", directory, ex);
		}
	}

	/** Windows deletes no library that is loaded. */
	private static void delete(Path path) {
		File file = path.toFile();
		if (!file.delete()) {
			file.deleteOnExit();
		}
	}

}
