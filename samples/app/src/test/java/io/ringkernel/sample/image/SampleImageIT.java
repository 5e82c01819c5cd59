package io.ringkernel.sample.image;

import java.time.Duration;
import java.util.Map;

import com.github.dockerjava.api.DockerClient;
import io.ringkernel.sampletest.HeldRequests;
import io.ringkernel.sampletest.SampleClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@RequiresDocker
@Tag("every-platform")
class SampleImageIT {

	private static final int HELD = 16;

	/** What a JVM ends with that SIGTERM has stopped. */
	private static final long TERMINATED = 143;

	private static final Duration DEADLINE = Duration.ofSeconds(60);

	@Test
	void answersOnTheCpuWhereThereIsNoGpuAndSaysWhy() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()) {
			container.start();
			SampleClient sample = SampleImage.clientOf(container);
			SampleClient management = SampleImage.managementOf(container);

			JsonNode kernel = management.get("/actuator/health").at("/components/ringKernel/components/vector-add");
			assertThat(kernel.path("status").asString()).isEqualTo("UP");
			assertThat(kernel.at("/details/backend").asString()).isEqualTo("cpu");
			assertThat(sample.post("/api/vector-add", "{\"a\":[1,2,3],\"b\":[10,20,30]}").path("sum").toString())
				.isEqualTo("[11.0,22.0,33.0]");
			assertThat(management.get("/actuator/ringkernels").at("/platform/plan/reasons").toString())
				.contains("no CUDA driver is installed");
		}
	}

	/** The kernel host is a process of the image as well. */
	@Test
	void runsWithAKernelHostAsAnUnprivilegedUserOnAReadOnlyRoot() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()
			.withEnv("RINGKERNEL_ISOLATION", "process")
			.withTmpFs(Map.of("/tmp", "rw"))
			.withCreateContainerCmdModifier((command) -> command.getHostConfig().withReadonlyRootfs(true))) {
			container.start();

			assertThat(container.execInContainer("id", "-u").getStdout().strip()).isEqualTo("10001");
			assertThat(SampleImage.clientOf(container).get("/livez").path("status").asString()).isEqualTo("UP");
			assertThat(container.getLogs()).containsPattern("The kernel host is process \\d+");
		}
	}

	@Test
	void portOfTheApiHasNoActuatorAndTheOtherNoActions() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()) {
			container.start();

			SampleImage.clientOf(container).get("/actuator/ringkernels", 404);
			SampleImage.managementOf(container)
				.post("/actuator/ringkernels/vector-add", "{\"action\":\"terminate\"}", 405);
		}
	}

	@Test
	void engineFindsItHealthy() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()) {
			container.start();

			await().atMost(DEADLINE).until(() -> health(container), "healthy"::equals);
		}
	}

	@Test
	void answersEveryRequestInFlightWhenItIsTerminated() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()
			.withEnv("MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE", "health,metrics")
			.withEnv("MANAGEMENT_SERVER_PORT", String.valueOf(SampleImage.PORT))) {
			container.start();
			try (HeldRequests held = HeldRequests.hold(SampleImage.clientOf(container), HELD)) {
				terminate(container);
				held.areAnsweredThoughOthersAreRefused();
			}
			await().atMost(DEADLINE).until(() -> !container.isRunning());
			assertThat(exitCode(container)).isEqualTo(TERMINATED);
			assertThat(container.getLogs()).contains("Graceful shutdown complete");
		}
	}

	private static void terminate(GenericContainer<?> container) {
		try (var command = docker().killContainerCmd(container.getContainerId()).withSignal("SIGTERM")) {
			command.exec();
		}
	}

	private static Long exitCode(GenericContainer<?> container) {
		try (var command = docker().inspectContainerCmd(container.getContainerId())) {
			return command.exec().getState().getExitCodeLong();
		}
	}

	private static String health(GenericContainer<?> container) {
		try (var command = docker().inspectContainerCmd(container.getContainerId())) {
			return command.exec().getState().getHealth().getStatus();
		}
	}

	private static DockerClient docker() {
		return DockerClientFactory.instance().client();
	}

}
