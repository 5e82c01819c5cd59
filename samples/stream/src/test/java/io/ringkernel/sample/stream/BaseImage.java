package io.ringkernel.sample.stream;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The image that those of broker and nodes are built on. Where Docker does not have it,
 * tests are skipped, and the output says so; where {@code RINGKERNEL_TEST_DOCKER} is
 * {@code required}, they fail.
 */
final class BaseImage implements ExecutionCondition {

	private static final String DEFAULT = "eclipse-temurin:21.0.12_8-jre-noble";

	private static final long SECONDS = 30;

	/**
	 * The name of the image.
	 */
	static String name() {
		return System.getenv().getOrDefault("RINGKERNEL_TEST_BASE_IMAGE", DEFAULT);
	}

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		String obstacle = obstacle();
		if (obstacle == null) {
			return ConditionEvaluationResult.enabled("Docker has the base image");
		}
		if ("required".equals(System.getenv("RINGKERNEL_TEST_DOCKER"))) {
			throw new IllegalStateException("Docker is required, but " + obstacle);
		}
		System.err.printf("SKIPPED %s: %s%n", context.getDisplayName(), obstacle);
		return ConditionEvaluationResult.disabled(obstacle);
	}

	private static @Nullable String obstacle() {
		try {
			Process docker = new ProcessBuilder("docker", "image", "inspect", name())
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			boolean ended = docker.waitFor(SECONDS, TimeUnit.SECONDS);
			docker.destroyForcibly();
			return (ended && docker.exitValue() == 0) ? null : "Docker does not have the image '%s'".formatted(name());
		}
		catch (IOException ex) {
			return "Docker is not installed: " + ex.getMessage();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while Docker was asked", ex);
		}
	}

}
