package io.ringkernel.sample.image;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.github.dockerjava.api.DockerClient;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@RequiresDocker
class SampleImageIT {

	private static final int HELD = 16;

	/** What a JVM ends with that SIGTERM has stopped. */
	private static final long TERMINATED = 143;

	private static final Duration DEADLINE = Duration.ofSeconds(60);

	@Test
	void answersOnTheCpuWhereThereIsNoGpuAndSaysWhy() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()) {
			container.start();
			SampleClient sample = new SampleClient(container);

			JsonNode kernel = sample.get("/actuator/health").at("/components/ringKernel/components/vector-add");
			assertThat(kernel.path("status").asString()).isEqualTo("UP");
			assertThat(kernel.at("/details/backend").asString()).isEqualTo("cpu");
			assertThat(sample.post("/api/vector-add", "{\"a\":[1,2,3],\"b\":[10,20,30]}").path("sum").toString())
				.isEqualTo("[11.0,22.0,33.0]");
			assertThat(sample.get("/actuator/ringkernels").at("/platform/plan/reasons").toString())
				.contains("no CUDA driver is installed");
		}
	}

	@Test
	void runsAsAnUnprivilegedUserOnAReadOnlyRoot() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()
			.withTmpFs(Map.of("/tmp", "rw"))
			.withCreateContainerCmdModifier((command) -> command.getHostConfig().withReadonlyRootfs(true))) {
			container.start();

			assertThat(container.execInContainer("id", "-u").getStdout().strip()).isEqualTo("10001");
			assertThat(new SampleClient(container).get("/actuator/health/liveness").path("status").asString())
				.isEqualTo("UP");
		}
	}

	@Test
	void answersEveryRequestInFlightWhenItIsTerminated() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()
			.withEnv("MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE", "health,metrics")) {
			container.start();
			SampleClient sample = new SampleClient(container);
			List<HeldRequest> held = hold(container);
			// The request that asks is in flight itself.
			await().atMost(DEADLINE).until(() -> inFlight(sample), (count) -> count == HELD + 1);

			terminate(container);
			await().atMost(DEADLINE).until(() -> refuses(sample));
			for (HeldRequest request : held) {
				request.complete();
			}

			for (int i = 0; i < HELD; i++) {
				try (HeldRequest request = held.get(i)) {
					assertThat(request.response()).startsWith("HTTP/1.1 200")
						.endsWith("{\"sum\":[%d.0]}".formatted(i + 1));
				}
			}
			await().atMost(DEADLINE).until(() -> !container.isRunning());
			assertThat(exitCode(container)).isEqualTo(TERMINATED);
			assertThat(container.getLogs()).contains("Graceful shutdown complete");
		}
	}

	private static List<HeldRequest> hold(GenericContainer<?> container) throws IOException {
		List<HeldRequest> held = new ArrayList<>();
		for (int i = 0; i < HELD; i++) {
			held.add(HeldRequest.post(container.getHost(), container.getMappedPort(SampleImage.PORT), "/api/vector-add",
					"{\"a\":[%d],\"b\":[1]}".formatted(i)));
		}
		return held;
	}

	private static int inFlight(SampleClient sample) throws IOException, InterruptedException {
		for (JsonNode measurement : sample.get("/actuator/metrics/http.server.requests.active").path("measurements")) {
			if (measurement.path("statistic").asString().equals("ACTIVE_TASKS")) {
				return measurement.path("value").asInt();
			}
		}
		throw new IllegalStateException("http.server.requests.active has no ACTIVE_TASKS");
	}

	private static void terminate(GenericContainer<?> container) {
		try (var command = docker().killContainerCmd(container.getContainerId()).withSignal("SIGTERM")) {
			command.exec();
		}
	}

	private static boolean refuses(SampleClient sample) throws InterruptedException {
		try {
			sample.get("/actuator/health/liveness");
			return false;
		}
		catch (IOException ex) {
			return true;
		}
	}

	private static Long exitCode(GenericContainer<?> container) {
		try (var command = docker().inspectContainerCmd(container.getContainerId())) {
			return command.exec().getState().getExitCodeLong();
		}
	}

	private static DockerClient docker() {
		return DockerClientFactory.instance().client();
	}

}
