package io.ringkernel.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.apache.maven.plugin.MojoFailureException;

/**
 * The compiler of CUDA C++.
 */
final class Nvcc {

	private static final long TIMEOUT_MINUTES = 10;

	private final String executable;

	/** The compiler of a name on the {@code PATH}; or of a file, with a separator. */
	Nvcc(String executable) {
		Path file = Path.of(executable);
		this.executable = (file.getParent() != null) ? file.toAbsolutePath().toString() : executable;
	}

	/**
	 * The devices that it makes machine code for, such as {@code sm_90}; nothing if it
	 * cannot be run.
	 */
	Optional<List<String>> devices() throws IOException, InterruptedException, MojoFailureException {
		if (Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
			.map((directory) -> Path.of(directory).resolve(this.executable))
			.noneMatch(Files::isExecutable)) {
			return Optional.empty();
		}
		return Optional.of(run(List.of("--list-gpu-code")).lines().toList());
	}

	/** Runs it, and tells what it says; so does the exception if it fails. */
	String run(List<String> arguments) throws IOException, InterruptedException, MojoFailureException {
		List<String> command = Stream.concat(Stream.of(this.executable), arguments.stream()).toList();
		Path log = Files.createTempFile("nvcc", ".log");
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
			if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
				process.destroyForcibly();
				throw new MojoFailureException(
						"%s did not end within %d minutes".formatted(String.join(" ", command), TIMEOUT_MINUTES));
			}
			String output = Files.readString(log);
			if (process.exitValue() != 0) {
				throw new MojoFailureException("%s%n%s".formatted(String.join(" ", command), output));
			}
			return output;
		}
		finally {
			Files.delete(log);
		}
	}

}
