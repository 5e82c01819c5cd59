package io.ringkernel.cuda.nvrtc;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where NVRTC may be: under its own name, which the linker finds in its folders, and in
 * the folder of a CUDA toolkit. The later version comes first.
 */
final class NvrtcLibrary {

	private static final Logger logger = LoggerFactory.getLogger(NvrtcLibrary.class);

	private static final String LINUX_TOOLKIT = "/usr/local/cuda";

	private static final String JNA = "com.sun.jna.Native";

	private static @Nullable Nvrtc loaded;

	private NvrtcLibrary() {
	}

	/** The library of this machine, which stays loaded. */
	static synchronized Nvrtc ofSystem() {
		Nvrtc library = loaded;
		if (library == null) {
			requireJna(NvrtcLibrary.class.getClassLoader(), JNA);
			library = LoadedNvrtc.of(candidates(System.getProperty("os.name"), System.getenv()));
			logger.debug("NVRTC {} is loaded", library.version());
			loaded = library;
		}
		return library;
	}

	/**
	 * JNA is an optional dependency, and unpacks its own library while its class
	 * initializes. If that has failed, its class is unusable from then on.
	 */
	static void requireJna(@Nullable ClassLoader loader, String name) {
		try {
			Class.forName(name, true, loader);
		}
		catch (ClassNotFoundException ex) {
			throw new NvrtcUnavailableException("JNA, which calls NVRTC, is not on the class path",
					"Add the dependency net.java.dev.jna:jna.", ex);
		}
		catch (LinkageError ex) {
			throw new NvrtcUnavailableException(
					"JNA, which calls NVRTC, cannot load its own library (%s)".formatted(rootMessage(ex)),
					"Set the system property jna.tmpdir to a directory that files can be written to and loaded from.",
					ex);
		}
	}

	/** A later attempt has the first failure for its cause. */
	private static @Nullable String rootMessage(Throwable failure) {
		Throwable root = failure;
		for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
			root = cause;
		}
		return root.getMessage();
	}

	/** Names and files to load, the best first. */
	static List<String> candidates(String system, Map<String, String> environment) {
		boolean windows = system.toLowerCase(Locale.ROOT).startsWith("windows");
		List<String> names = windows ? List.of("nvrtc64_130_0.dll", "nvrtc64_120_0.dll")
				: List.of("libnvrtc.so.13", "libnvrtc.so.12");
		List<String> candidates = new ArrayList<>(names);
		for (String name : names) {
			String toolkit = environment.getOrDefault("CUDA_PATH", windows ? "" : LINUX_TOOLKIT);
			if (!toolkit.isEmpty()) {
				List.of(windows ? "bin/x64" : "lib64", windows ? "bin" : "lib")
					.forEach((folder) -> candidates.add(Path.of(toolkit, folder, name).toString()));
			}
		}
		return candidates;
	}

}
