package io.ringkernel.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
		Map<String, String> all = new HashMap<>(variables);
		all.putIfAbsent("LD_LIBRARY_PATH", LIBRARY.getParent().toString());
		all.putIfAbsent("RINGKERNEL_EMULATED_PLATFORM", platform);
		return ChildJvm.run(List.of(), all, seconds, main, arguments);
	}

}
