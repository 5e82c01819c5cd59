package io.ringkernel.cuda;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own for a class of the tests.
 */
public final class ChildJvm {

	private ChildJvm() {
	}

	/**
	 * Runs a class in a process.
	 * @param options of the JVM
	 * @param variables of the process besides
	 * @param seconds how long it may take
	 * @param main the class
	 * @param arguments of the class
	 * @return what it has printed
	 */
	public static String run(List<String> options, Map<String, String> variables, int seconds, Class<?> main,
			String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(List.of(arguments));
		Path output = Files.createTempFile("child-", ".log");
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
		builder.environment().putAll(variables);
		Process process = builder.start();
		boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
		process.destroyForcibly().waitFor();
		String text = Files.readString(output, StandardCharsets.UTF_8);
		Files.delete(output);
		if (!ended) {
			throw new AssertionError(
					"%s with %s is not done within %d s: %s".formatted(main.getSimpleName(), variables, seconds, text));
		}
		return text;
	}

}
