package io.ringkernel.cuda.driver;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the driver's library where the system's linker does not look.
 * <p>
 * Under WSL2 it lies in a folder that Windows mounts, and a library of the same name that
 * came with a Linux package must not be taken for it. One that is loaded by its path is
 * what JCuda's library is linked with afterwards, since the linker knows it by its name.
 *
 * @since 0.2.0
 */
public final class DriverLibrary {

	private static final Logger logger = LoggerFactory.getLogger(DriverLibrary.class);

	private static final String NAME = "libcuda.so.1";

	/** Where the linker looks by itself, and where Windows mounts the driver. */
	private static final List<String> FOLDERS = List.of("usr/lib/wsl/lib", "lib64", "usr/lib64", "lib", "usr/lib",
			"lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu");

	private DriverLibrary() {
	}

	/**
	 * {@return whether a driver seems to be installed, told from files alone: its library
	 * is where the linker looks under Linux}
	 */
	public static boolean isInstalled() {
		return isInstalled(Path.of("/"), System.getenv());
	}

	static boolean isInstalled(Path root, Map<String, String> environment) {
		return isOnLibraryPath(environment)
				|| FOLDERS.stream().anyMatch((folder) -> Files.exists(root.resolve(folder).resolve(NAME)))
				|| isInCache(root.resolve("etc/ld.so.cache"));
	}

	/** The linker's cache holds the names of libraries as they are. */
	private static boolean isInCache(Path cache) {
		try {
			return Files.isReadable(cache)
					&& new String(Files.readAllBytes(cache), StandardCharsets.ISO_8859_1).contains(NAME);
		}
		catch (IOException ex) {
			logger.debug("{} cannot be read", cache, ex);
			return false;
		}
	}

	private static boolean isOnLibraryPath(Map<String, String> environment) {
		return Arrays.stream(environment.getOrDefault("LD_LIBRARY_PATH", "").split(File.pathSeparator))
			.anyMatch((folder) -> !folder.isEmpty() && Files.exists(Path.of(folder, NAME)));
	}

	/** Loads the library of this machine, if it is not where the linker looks. */
	static void preload() {
		outsideOf(Path.of("/"), System.getenv()).ifPresent((library) -> {
			try {
				System.load(library.toString());
				logger.debug("Loaded the CUDA driver from {}", library);
			}
			catch (UnsatisfiedLinkError | IllegalCallerException ex) {
				logger.warn("The CUDA driver in {} cannot be loaded, and the linker's is tried: {}", library,
						ex.getMessage());
			}
		});
	}

	/**
	 * A library that the linker would not find, or not find first. A library path that
	 * leads to a driver is left in force.
	 */
	static Optional<Path> outsideOf(Path root, Map<String, String> environment) {
		Path library = root.resolve("usr/lib/wsl/lib").resolve(NAME);
		return (!isOnLibraryPath(environment) && Files.exists(library)) ? Optional.of(library) : Optional.empty();
	}

}
