package io.ringkernel.sample.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The application, in a process of its own.
 */
final class StreamNode implements AutoCloseable {

	private final Process process;

	private final Path log;

	private StreamNode(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Starts the application.
	 * @param directory where its output is kept
	 * @param name that of its log
	 * @param arguments its arguments
	 */
	static StreamNode start(Path directory, String name, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m", "-cp",
						System.getProperty("java.class.path"), StreamApplication.class.getName()));
		command.addAll(arguments);
		Path log = Files.createTempFile(directory, name, ".log");
		return new StreamNode(
				new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(), log);
	}

	/**
	 * Ends the process by SIGKILL, and waits for its end.
	 */
	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	/**
	 * Ends the kernel host of the application by SIGKILL, and waits for its end.
	 */
	void killHost() {
		List<ProcessHandle> hosts = this.process.children().toList();
		hosts.forEach(ProcessHandle::destroyForcibly);
		hosts.forEach((host) -> host.onExit().join());
	}

	/**
	 * Returns what the application has written so far.
	 */
	String output() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		kill();
	}

}
