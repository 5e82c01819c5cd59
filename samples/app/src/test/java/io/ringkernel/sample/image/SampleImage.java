package io.ringkernel.sample.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ringkernel.sampletest.SampleClient;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.ImageFromDockerfile;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The image of the sample, built from its {@code Dockerfile} and the packaged jar when
 * its first container is started.
 */
final class SampleImage {

	/** The port of the API in the container. */
	static final int PORT = 8080;

	/** The port of Actuator in the container. */
	static final int MANAGEMENT_PORT = 8081;

	private static final Path DOCKERFILE = Path.of("Dockerfile");

	private static final String JAR = "target/sample-app.jar";

	/**
	 * The environment variable that names another base image than the Dockerfile does.
	 */
	private static final String BASE_IMAGE = "RINGKERNEL_TEST_BASE_IMAGE";

	private static final Pattern DEFAULT_BASE_IMAGE = Pattern.compile("^ARG BASE_IMAGE=(\\S+)$", Pattern.MULTILINE);

	private static final ImageFromDockerfile IMAGE = new ImageFromDockerfile()
		.withFileFromPath("Dockerfile", DOCKERFILE)
		.withFileFromPath(JAR, Path.of(JAR))
		.withBuildArg("BASE_IMAGE", baseImage());

	private SampleImage() {
	}

	static GenericContainer<?> newContainer() {
		return new GenericContainer<>(IMAGE).withExposedPorts(PORT, MANAGEMENT_PORT)
			.waitingFor(Wait.forHttp("/readyz").forPort(PORT).withStartupTimeout(Duration.ofMinutes(3)));
	}

	static SampleClient clientOf(GenericContainer<?> container) {
		return new SampleClient(container.getHost(), container.getMappedPort(PORT));
	}

	static SampleClient managementOf(GenericContainer<?> container) {
		return new SampleClient(container.getHost(), container.getMappedPort(MANAGEMENT_PORT));
	}

	static String baseImage() {
		String chosen = System.getenv(BASE_IMAGE);
		if (chosen != null && !chosen.isBlank()) {
			return chosen;
		}
		try {
			Matcher matcher = DEFAULT_BASE_IMAGE.matcher(Files.readString(DOCKERFILE));
			assertThat(matcher.find()).as("ARG BASE_IMAGE=… in %s", DOCKERFILE.toAbsolutePath()).isTrue();
			return matcher.group(1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
