package io.ringkernel.sampletest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The packaged application, started by the Java that runs the tests, on a port of its
 * own.
 */
public final class SampleProcess implements AutoCloseable {

	private static final Duration LONGEST = Duration.ofMinutes(2);

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	private final Process process;

	private final Path log;

	private @Nullable SampleClient client;

	private SampleProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Starts the application and waits until it takes requests.
	 * @param jar the application
	 * @param directory where its output is kept
	 * @param arguments those of the application
	 * @throws AssertionError if it does not start; with its output
	 */
	public static SampleProcess start(Path jar, Path directory, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar.toString(),
						"--server.port=0"));
		command.addAll(arguments);
		Path log = Files.createTempFile(directory, "sample", ".log");
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
		SampleProcess sample = new SampleProcess(builder.start(), log);
		try {
			await().atMost(LONGEST).until(() -> sample.isReady() || !sample.process.isAlive());
			assertThat(sample.process.isAlive()).as("is alive, after %s%n%s", command, sample.output()).isTrue();
			return sample;
		}
		catch (RuntimeException | Error ex) {
			sample.close();
			throw ex;
		}
	}

	/**
	 * It listens before it has validated its kernels, and is ready after.
	 */
	private boolean isReady() throws InterruptedException {
		Matcher port = PORT.matcher(output());
		if (!port.find()) {
			return false;
		}
		this.client = new SampleClient("localhost", Integer.parseInt(port.group(1)));
		return this.client.isReady();
	}

	/**
	 * Returns a client of the application.
	 */
	public SampleClient client() {
		return Objects.requireNonNull(this.client, "a client before the application is ready");
	}

	/**
	 * Has the operating system ask the application to end, by SIGTERM.
	 */
	public void terminate() {
		this.process.destroy();
	}

	/**
	 * Waits for the end of the application.
	 * @return its exit code
	 * @throws AssertionError if it does not end
	 */
	public int awaitExit() throws InterruptedException {
		assertThat(this.process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).as("has ended, after%n%s", output())
			.isTrue();
		return this.process.exitValue();
	}

	/**
	 * Returns what the application has written so far.
	 */
	public String output() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Ends the application by force if it still runs.
	 */
	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
