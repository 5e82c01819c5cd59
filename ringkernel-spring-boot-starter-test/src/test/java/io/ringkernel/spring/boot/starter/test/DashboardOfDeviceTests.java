package io.ringkernel.spring.boot.starter.test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Stream;

import io.ringkernel.RingKernelClient;
import io.ringkernel.spring.boot.starter.test.SecuredApplication.Ping;
import io.ringkernel.spring.boot.starter.test.SecuredApplication.Pong;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigurePtxMachine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the header of the dashboard reads of a kernel on a device.
 */
@SpringBootTest(classes = SecuredApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard")
@AutoConfigurePtxMachine
@Tag("every-platform")
class DashboardOfDeviceTests {

	@Autowired
	private RingKernelClient<Ping, Pong> echo;

	@Test
	void tellsOfTheDeviceItsMemoryAndItsWorkers(@LocalServerPort int port) throws Exception {
		this.echo.call(new Ping(1));
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://localhost:%d/actuator/ringkernelsdashboard/events".formatted(port)))
			.header("Authorization", "Basic b3BlcmF0b3I6b3BlcmF0b3I=")
			.build();
		try (Stream<String> events = HttpClient.newHttpClient()
			.send(request, HttpResponse.BodyHandlers.ofLines())
			.body()) {
			// The first sample comes with the second look at the counters.
			JsonNode status = events.filter((line) -> line.startsWith("data:"))
				.map((line) -> new JsonMapper().readTree(line.substring("data:".length())))
				.filter((event) -> event.at("/history/kernels/echo").size() > 0)
				.findFirst()
				.orElseThrow();
			assertThat(status.at("/platform/device").asString()).isNotEmpty();
			assertThat(status.at("/platform/memory").asString()).matches("[0-9.]+ GiB");
			assertThat(status.at("/platform/plan/device").asInt(-1)).isZero();
			assertThat(status.at("/kernels/echo/device").asInt(-1)).isZero();
			assertThat(status.at("/kernels/echo/deviceMemoryBytes").isNumber()).isTrue();
			assertThat(status.at("/history/kernels/echo/0/busy").asDouble(-1)).isBetween(0.0, 1.0);
		}
	}

}
