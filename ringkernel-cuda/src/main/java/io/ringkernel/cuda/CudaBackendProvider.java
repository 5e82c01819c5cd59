package io.ringkernel.cuda;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;

/**
 * Says why CUDA is not used. It looks for the driver's library where the system's loader
 * does, and loads nothing.
 */
public final class CudaBackendProvider implements BackendProvider {

	private final String library;

	private final List<Path> directories;

	/**
	 * Creates the provider.
	 */
	public CudaBackendProvider() {
		this(libraryName(), loaderDirectories(System.getenv()));
	}

	CudaBackendProvider(String library, List<Path> directories) {
		this.library = library;
		this.directories = directories;
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		Optional<Path> driver = this.directories.stream()
			.map((directory) -> directory.resolve(this.library))
			.filter(Files::exists)
			.findFirst();
		return driver
			.map((path) -> new PlanOffer.Refused(
					"this version does not yet run kernels on CUDA, although a driver was found (%s)".formatted(path),
					"Set ringkernel.backend to auto or cpu."))
			.orElseGet(() -> new PlanOffer.Refused(
					"no CUDA driver was found (no %s where libraries are loaded from)".formatted(this.library),
					"Install the NVIDIA driver, give the container access to the GPU, or set ringkernel.backend to auto."));
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		throw new IllegalStateException("The CUDA backend has offered no plan.");
	}

	private static String libraryName() {
		return isWindows() ? "nvcuda.dll" : "libcuda.so.1";
	}

	private static boolean isWindows() {
		return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
	}

	static List<Path> loaderDirectories(Map<String, String> environment) {
		List<Path> directories = new ArrayList<>();
		if (isWindows()) {
			directories.add(Path.of(environment.getOrDefault("SystemRoot", "C:\\Windows"), "System32"));
			addPathList(directories, environment.get("PATH"));
			return directories;
		}
		addPathList(directories, environment.get("LD_LIBRARY_PATH"));
		addConfigured(directories, Path.of("/etc/ld.so.conf.d"));
		for (String directory : List.of("/usr/lib/wsl/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
				"/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/nvidia/lib64", "/usr/local/nvidia/lib")) {
			directories.add(Path.of(directory));
		}
		return directories;
	}

	private static void addPathList(List<Path> directories, @Nullable String pathList) {
		if (pathList != null) {
			for (String directory : pathList.split(File.pathSeparator, -1)) {
				addIfValid(directories, directory);
			}
		}
	}

	private static void addConfigured(List<Path> directories, Path configuration) {
		try (DirectoryStream<Path> files = Files.newDirectoryStream(configuration, "*.conf")) {
			for (Path file : files) {
				Files.readAllLines(file).forEach((line) -> addIfValid(directories, line.strip()));
			}
		}
		catch (IOException | DirectoryIteratorException ex) {
			// Not there, or not for us to read: the usual directories remain.
		}
	}

	private static void addIfValid(List<Path> directories, String directory) {
		try {
			Path path = Path.of(directory);
			if (path.isAbsolute()) {
				directories.add(path);
			}
		}
		catch (InvalidPathException ex) {
			// The loader cannot find anything there either.
		}
	}

}
