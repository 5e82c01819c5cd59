package io.ringkernel.sampletest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Java process, of the version that runs the tests, that has ended.
 *
 * @param exitCode how it ended
 * @param output what it wrote to its standard output
 * @param errors what it wrote to its standard error
 */
public record JavaProcess(int exitCode, String output, String errors) {

	private static final Duration LONGEST = Duration.ofMinutes(10);

	/**
	 * Runs Java and waits for its end.
	 * @param directory where it runs, and where its output is kept
	 * @param arguments those of the {@code java} command
	 * @throws AssertionError if it does not end
	 */
	public static JavaProcess run(Path directory, String... arguments) throws IOException, InterruptedException {
		Path output = directory.resolve("output.txt");
		Path errors = directory.resolve("errors.txt");
		List<String> command = Stream
			.concat(Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()), Stream.of(arguments))
			.toList();
		ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
			.redirectOutput(output.toFile())
			.redirectError(errors.toFile());
		// It would be told to do on every start what one of them is to do.
		builder.environment().remove("JAVA_TOOL_OPTIONS");
		Process process = builder.start();
		try {
			if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
				throw new AssertionError("%s has not ended within %s:%n%s%n%s".formatted(command, LONGEST,
						Files.readString(output), Files.readString(errors)));
			}
		}
		finally {
			process.destroyForcibly();
		}
		return new JavaProcess(process.exitValue(), Files.readString(output), Files.readString(errors));
	}

}
