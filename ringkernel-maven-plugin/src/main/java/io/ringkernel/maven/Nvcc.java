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

/**
 * The compiler of CUDA C++.
 */
final class Nvcc {

	private static final long TIMEOUT_MINUTES = 10;

	private final String executable;

	/**
	 * Creates the compiler.
	 * @param executable a name on the {@code PATH}; or a file, if it has a separator
	 */
	Nvcc(String executable) {
		Path file = Path.of(executable);
		this.executable = (file.getParent() != null) ? file.toAbsolutePath().toString() : executable;
	}

	/**
	 * The names of the devices that it makes machine code for, such as {@code sm_90}.
	 * @return the names; nothing if the compiler cannot be run
	 */
	Optional<List<String>> devices() throws IOException, InterruptedException, CompilationException {
		if (Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
			.map((directory) -> Path.of(directory).resolve(this.executable))
			.noneMatch(Files::isExecutable)) {
			return Optional.empty();
		}
		return Optional.of(run(List.of("--list-gpu-code")).lines().toList());
	}

	/**
	 * Runs it.
	 * @return what it says
	 * @throws CompilationException if it fails; with what it says
	 */
	String run(List<String> arguments) throws IOException, InterruptedException, CompilationException {
		List<String> command = Stream.concat(Stream.of(this.executable), arguments.stream()).toList();
		Path log = Files.createTempFile("nvcc", ".log");
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
			if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
				process.destroyForcibly();
				throw new CompilationException(
						"%s did not end within %d minutes".formatted(String.join(" ", command), TIMEOUT_MINUTES));
			}
			String output = Files.readString(log);
			if (process.exitValue() != 0) {
				throw new CompilationException("%s%n%s".formatted(String.join(" ", command), output));
			}
			return output;
		}
		finally {
			Files.delete(log);
		}
	}

}
