package io.ringkernel.cuda.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The private directory that JCuda unpacks its native libraries into.
 * <p>
 * JCuda unpacks to a fixed name below {@code java.io.tmpdir} and loads whatever lies
 * there already, which any local user can prepare. So that property names a fresh
 * directory, which only this user can enter, while JCuda's classes initialize.
 */
final class NativeDirectory {

	private static final String TEMPORARY = "java.io.tmpdir";

	private NativeDirectory() {
	}

	/**
	 * Runs what makes JCuda load a library.
	 * @throws UncheckedIOException if there is no place for a directory
	 */
	static synchronized void unpackInto(Runnable loading) {
		String before = System.getProperty(TEMPORARY);
		Path directory = create();
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
			Path directory = Files.createTempDirectory("ringkernel-natives-");
			directory.toFile().deleteOnExit();
			return directory;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Deletes the files: a loaded library does not need its name any more. The directory
	 * stays until the process ends, for others that may have read the property meanwhile.
	 */
	private static void clear(Path directory) {
		try (Stream<Path> files = Files.list(directory)) {
			files.forEach((file) -> {
				if (!file.toFile().delete()) {
					file.toFile().deleteOnExit();
				}
			});
		}
		catch (IOException ex) {
			// They stay behind in a directory of our own: no harm but the space.
		}
	}

}
