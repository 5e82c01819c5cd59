package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.net.URI;
import java.util.Map;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient.BodyContentSpec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReactiveRingKernelsEndpointWebExtension} behind Spring WebFlux.
 */
@SpringBootTest(properties = { "spring.main.web-application-type=reactive",
		"management.endpoints.web.exposure.include=ringkernels", "management.endpoint.ringkernels.access=unrestricted",
		"ringkernel.backend=cpu" })
@Tag("every-platform")
class ActuatorOverWebFluxTests {

	@Autowired
	private RingKernelRuntime runtime;

	private WebTestClient http;

	@BeforeEach
	void connect(@Autowired ApplicationContext context) {
		this.http = WebTestClient.bindToApplicationContext(context).build();
	}

	@AfterEach
	void relaunch() {
		this.runtime.kernels().forEach((kernel) -> kernel.relaunch());
	}

	@Test
	void everyOperationAnswers() {
		get("/actuator/ringkernels", HttpStatus.OK).jsonPath("$.kernels.twice.state").isEqualTo("ACTIVE");
		get("/actuator/ringkernels/twice?pretty=true", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
		get("/actuator/ringkernels/twice/ring", HttpStatus.OK).jsonPath("$.violations").isEmpty();
		get("/actuator/ringkernels/twice/code", HttpStatus.OK).jsonPath("$.lines").isNotEmpty();
		act("/actuator/ringkernels/twice", Map.of("action", "deactivate"), HttpStatus.OK).jsonPath("$.state")
			.isEqualTo("INACTIVE");
	}

	@Test
	void whatIsNotThereHasAProblemDocument() {
		this.http.get()
			.uri("/actuator/ringkernels/none")
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
		act("/actuator/ringkernels/twice", Map.of("action", "activate"), HttpStatus.CONFLICT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "twice?id=repeat-text", "twice?id=twice", "twice?id=repeat-text&id=twice",
			"twice/ring?id=repeat-text", "twice/ring?view=ring", "twice?%69d=repeat-text" })
	void queryDoesNotReplaceWhatThePathNames(String path) {
		this.http.get()
			.uri((uri) -> URI.create("/actuator/ringkernels/" + path))
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.detail")
			.value(String.class, (detail) -> assertThat(detail).startsWith("The query has '"));
	}

	@Test
	void bodyDoesNotReplaceTheKernelThatThePathNames() {
		act("/actuator/ringkernels/repeat-text", Map.of("action", "terminate", "id", "twice"), HttpStatus.BAD_REQUEST)
			.jsonPath("$.detail")
			.isEqualTo("The body has 'id'. Name the kernel in the path alone.");
		expectBothActive();
	}

	@ParameterizedTest
	@ValueSource(strings = { "action=terminate", "id=twice" })
	void queryDoesNotReplaceTheBody(String query) {
		act("/actuator/ringkernels/repeat-text?" + query, Map.of("action", "deactivate"), HttpStatus.BAD_REQUEST);
		expectBothActive();
	}

	private void expectBothActive() {
		get("/actuator/ringkernels/twice", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
		get("/actuator/ringkernels/repeat-text", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
	}

	private BodyContentSpec get(String path, HttpStatus expected) {
		return this.http.get().uri(path).exchange().expectStatus().isEqualTo(expected).expectBody();
	}

	private BodyContentSpec act(String path, Map<String, String> body, HttpStatus expected) {
		return this.http.post()
			.uri(path)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange()
			.expectStatus()
			.isEqualTo(expected)
			.expectBody();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(TwiceAndRepeat.class)
	static class Application {

	}

}
