package io.ringkernel.cuda.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.InvalidConfigurationException;

/**
 * How a kernel host is run.
 *
 * @param directory where the files are made that both processes map: each has the size of
 * a ring, and is deleted as soon as it is mapped. A directory in memory, with room for
 * the rings
 * @param startTimeout how long the host may take to start; positive
 * @param silenceTimeout how long the host may give no sign of life before it is ended; at
 * least 500 ms
 * @since 0.2.0
 */
public record HostOptions(Path directory, Duration startTimeout, Duration silenceTimeout) {

	private static final Path SHARED_MEMORY = Path.of("/dev/shm");

	private static final Duration SHORTEST_SILENCE = Duration.ofMillis(500);

	/** What is right for most applications. */
	public static final HostOptions DEFAULTS = new HostOptions(defaultDirectory(), Duration.ofSeconds(20),
			Duration.ofSeconds(3));

	/**
	 * Creates the options.
	 * @param directory where the files are made that both processes map
	 * @param startTimeout how long the host may take to start; positive
	 * @param silenceTimeout how long the host may give no sign of life before it is
	 * ended; at least 500 ms
	 * @throws InvalidConfigurationException if a value is out of its range
	 */
	public HostOptions {
		if (startTimeout.isNegative() || startTimeout.isZero()) {
			throw new InvalidConfigurationException("ringkernel.host.start-timeout", startTimeout, "is not positive",
					"Set it to a duration such as 20s.");
		}
		if (silenceTimeout.compareTo(SHORTEST_SILENCE) < 0) {
			throw new InvalidConfigurationException("ringkernel.host.silence-timeout", silenceTimeout,
					"is shorter than 500ms", "Set it to a duration such as 3s.");
		}
	}

	private static Path defaultDirectory() {
		return Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
	}

}
