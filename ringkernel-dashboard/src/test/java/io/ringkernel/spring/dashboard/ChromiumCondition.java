package io.ringkernel.spring.dashboard;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Whether Chromium or Chrome is installed. Nothing is downloaded: a build should not do
 * that unasked. Also used by the modules that use the test jar of this one.
 */
public final class ChromiumCondition implements ExecutionCondition {

	private static final String[] NAMES = { "chromium", "chromium-browser", "google-chrome" };

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		if (executable().isPresent()) {
			return ConditionEvaluationResult.enabled("Chromium is installed");
		}
		String obstacle = "none of %s is on the PATH".formatted(String.join(", ", NAMES));
		System.err.printf("SKIPPED %s: %s%n", context.getDisplayName(), obstacle);
		return ConditionEvaluationResult.disabled(obstacle);
	}

	/**
	 * Where the browser is.
	 * @return its executable, if there is one
	 */
	public static Optional<Path> executable() {
		String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
		return Stream.of(path.split(File.pathSeparator))
			.flatMap((directory) -> Arrays.stream(NAMES).map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

}
