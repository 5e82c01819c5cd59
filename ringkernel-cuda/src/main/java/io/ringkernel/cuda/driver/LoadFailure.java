package io.ringkernel.cuda.driver;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why JCuda's native library is not loaded, and what to do.
 *
 * @param reason a clause without a full stop
 * @param remedy a sentence
 */
record LoadFailure(String reason, String remedy) {

	/** The first line of a stack trace. */
	private static final Pattern THROWN = Pattern.compile("^[\\w.$]+(?:Error|Exception): (.*)$", Pattern.MULTILINE);

	/**
	 * Explains a failure.
	 * @param message JCuda's, which holds the stack traces of both its attempts; the last
	 * has what the system's linker said of the library and of those that it needs
	 * @param driverInstalled whether the driver's library is on this machine
	 */
	static LoadFailure of(String message, boolean driverInstalled) {
		String words = words(message);
		if (message.contains("IllegalCallerException")) {
			return new LoadFailure("native access is denied to JCuda: " + words,
					"Start Java with --enable-native-access=ALL-UNNAMED.");
		}
		boolean ofDriver = message.contains("libcuda.so") || message.contains("nvcuda.dll");
		if (ofDriver && !driverInstalled) {
			return new LoadFailure("no CUDA driver is installed",
					"Install the NVIDIA driver; in a container, start it with --gpus all.");
		}
		if (ofDriver) {
			return new LoadFailure("the CUDA driver cannot be loaded: " + words,
					"Check with nvidia-smi that the NVIDIA driver and its libraries are complete and of one version.");
		}
		return new LoadFailure(
				"JCuda's native library cannot be loaded on %s: %s".formatted(NativePlatform.current(), words),
				"Use glibc, and set java.io.tmpdir to a directory from which files can be loaded.");
	}

	static LoadFailure ofUnpacking(String words) {
		return new LoadFailure("JCuda's native library cannot be unpacked: %s".formatted(words),
				"Set java.io.tmpdir to a directory that files can be written to and loaded from.");
	}

	private static String words(String message) {
		String words = message.strip();
		for (Matcher thrown = THROWN.matcher(message); thrown.find();) {
			words = thrown.group(1);
		}
		return words;
	}

}
