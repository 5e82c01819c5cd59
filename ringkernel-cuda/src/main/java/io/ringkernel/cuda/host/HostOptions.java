package io.ringkernel.cuda.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.exception.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * How a kernel host is run.
 *
 * @param directory where the files are made that both processes map: each has the size of
 * a ring, and is deleted as soon as it is mapped. A directory in memory, with room for
 * the rings
 * @param startTimeout how long the host may take to start; more than 0, and at most 365
 * days
 * @param silenceTimeout how long the host may give no sign of life before it is ended;
 * 500 ms to 365 days
 * @param stuckAfter how many request timeouts of its kernel a request may be handled for,
 * but at least for the silence timeout and at most for 365 days, before the host is
 * ended; 0 for as long as it takes
 * @since 0.2.0
 */
public record HostOptions(Path directory, Duration startTimeout, Duration silenceTimeout, int stuckAfter) {

	/**
	 * After how many request timeouts a kernel is stuck, unless something else is set.
	 */
	public static final int STUCK_AFTER = 4;

	/** Where the files of rings lie if nothing else is said. */
	static final Path SHARED_MEMORY = Path.of("/dev/shm");

	private static final Duration SHORTEST_SILENCE = Duration.ofMillis(500);

	/** As of the timeouts of kernels. */
	private static final Duration LONGEST = Duration.ofDays(365);

	/** What is right for most applications. */
	public static final HostOptions DEFAULTS = new HostOptions(defaultDirectory(), Duration.ofSeconds(20),
			Duration.ofSeconds(3), STUCK_AFTER);

	/**
	 * Checks the options.
	 * @param directory where the files are made that both processes map
	 * @param startTimeout how long the host may take to start
	 * @param silenceTimeout how long the host may give no sign of life
	 * @param stuckAfter how many request timeouts a request may be handled for
	 * @throws InvalidConfigurationException if a value is out of its range
	 */
	public HostOptions {
		if (startTimeout.isNegative() || startTimeout.isZero() || startTimeout.compareTo(LONGEST) > 0) {
			throw new InvalidConfigurationException("ringkernel.host.start-timeout", startTimeout, "is out of range",
					"Set it to more than 0s and at most 365d, such as 20s.");
		}
		if (silenceTimeout.compareTo(SHORTEST_SILENCE) < 0 || silenceTimeout.compareTo(LONGEST) > 0) {
			throw new InvalidConfigurationException("ringkernel.host.silence-timeout", silenceTimeout,
					"is out of range", "Set it to a duration from 500ms to 365d, such as 3s.");
		}
		if (stuckAfter < 0) {
			throw new InvalidConfigurationException("ringkernel.host.stuck-after", stuckAfter, "is negative",
					"Set it to a number of request timeouts, such as 4, or ringkernel.host.on-stuck to ignore.");
		}
	}

	/**
	 * How long a request of a kernel may be handled.
	 * @param requestTimeout the request timeout of the kernel
	 * @return the time; {@code null} if there is no limit
	 */
	@Nullable Duration longestHandling(Duration requestTimeout) {
		if (this.stuckAfter == 0) {
			return null;
		}
		Duration limit = requestTimeout.multipliedBy(this.stuckAfter);
		if (limit.compareTo(LONGEST) > 0) {
			return LONGEST;
		}
		return (limit.compareTo(this.silenceTimeout) > 0) ? limit : this.silenceTimeout;
	}

	private static Path defaultDirectory() {
		return Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
	}

}
