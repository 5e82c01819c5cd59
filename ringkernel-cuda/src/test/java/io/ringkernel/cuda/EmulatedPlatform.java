package io.ringkernel.cuda;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A machine as the emulated driver plays it, for a process of its own. The folder of the
 * driver is in the system property {@code ringkernel.emulated-driver}.
 */
final class EmulatedPlatform implements ExecutionCondition {

	private static final Path LIBRARY = Path.of(System.getProperty("ringkernel.emulated-driver", "none"),
			"libcuda.so.1");

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return Files.exists(LIBRARY) ? ConditionEvaluationResult.enabled("there is an emulated driver")
				: ConditionEvaluationResult.disabled("there is no emulated driver: it is built where there is g++");
	}

	/**
	 * The library that imposes a platform's faults on any driver, for {@code LD_PRELOAD}.
	 */
	static String interposer() {
		return LIBRARY.resolveSibling("libringkernel-interposer.so").toString();
	}

	/**
	 * Runs a class in a process on a platform.
	 * @param platform as the driver's README lists them
	 * @param variables of the process besides
	 * @param seconds how long it may take
	 * @param main the class
	 * @param arguments of the class
	 * @return what it has printed
	 */
	static String run(String platform, Map<String, String> variables, int seconds, Class<?> main, String... arguments)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(List.of(arguments));
		Path output = Files.createTempFile("platform-", ".log");
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
		builder.environment().put("LD_LIBRARY_PATH", LIBRARY.getParent().toString());
		builder.environment().put("RINGKERNEL_EMULATED_PLATFORM", platform);
		builder.environment().putAll(variables);
		Process process = builder.start();
		boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
		process.destroyForcibly().waitFor();
		String text = Files.readString(output, StandardCharsets.UTF_8);
		Files.delete(output);
		if (!ended) {
			throw new AssertionError("On %s, not done within %d s: %s".formatted(platform, seconds, text));
		}
		return text;
	}

}
