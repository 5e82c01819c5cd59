package io.ringkernel.sample.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A node that is a process.
 */
final class ProcessNode implements StreamNode {

	/** Of the JVM of a node. */
	private static final List<String> OPTIONS = Stream.of(System.getProperty("stream.node.jvm", "").split(" "))
		.filter((option) -> !option.isEmpty())
		.toList();

	private final Process process;

	private final Path log;

	private ProcessNode(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Starts the application.
	 * @param directory where its output is kept
	 * @param name that of its log
	 * @param arguments its arguments
	 */
	static ProcessNode start(Path directory, String name, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m"));
		command.addAll(OPTIONS);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), StreamApplication.class.getName()));
		command.addAll(arguments);
		Path log = Files.createTempFile(directory, name, ".log");
		return new ProcessNode(
				new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(), log);
	}

	@Override
	public void kill() {
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

	@Override
	public String output() {
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
