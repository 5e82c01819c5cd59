package io.ringkernel.sample.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Whether there is a Docker engine that has the base image. Asked with Docker's own
 * command, which answers at once, where Testcontainers would look for other engines and
 * pull images for minutes. Nothing is pulled: a build should not do that unasked.
 */
class DockerCondition implements ExecutionCondition {

	/** The environment variable that turns a skipped test into a failed one. */
	static final String REQUIRED = "RINGKERNEL_TEST_DOCKER";

	private static final long SECONDS = 30;

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		String obstacle = obstacle(SampleImage.baseImage());
		if (obstacle == null) {
			return ConditionEvaluationResult.enabled("Docker has the base image");
		}
		if ("required".equals(System.getenv(REQUIRED))) {
			throw new IllegalStateException("%s is 'required', but %s".formatted(REQUIRED, obstacle));
		}
		System.err.printf("SKIPPED %s: %s%n", context.getDisplayName(), obstacle);
		return ConditionEvaluationResult.disabled(obstacle);
	}

	private static @Nullable String obstacle(String image) {
		try {
			return inspect(image);
		}
		catch (IOException ex) {
			return "Docker is not installed: " + ex.getMessage();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while Docker was asked for " + image, ex);
		}
	}

	private static @Nullable String inspect(String image) throws IOException, InterruptedException {
		Path output = Files.createTempFile("docker", ".log");
		try {
			Process docker = new ProcessBuilder("docker", "image", "inspect", "--format", "{{.Id}}", image)
				.redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			if (!docker.waitFor(SECONDS, TimeUnit.SECONDS)) {
				docker.destroyForcibly();
				return "Docker did not answer within %d s".formatted(SECONDS);
			}
			return (docker.exitValue() == 0) ? null
					: "Docker cannot give the base image '%s' (if it runs, pull that image): %s".formatted(image,
							Files.readString(output, StandardCharsets.UTF_8).strip().replace("\n", "; "));
		}
		finally {
			Files.delete(output);
		}
	}

}
