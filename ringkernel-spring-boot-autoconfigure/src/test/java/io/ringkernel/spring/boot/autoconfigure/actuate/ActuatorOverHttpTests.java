package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.ringkernel.RingKernelClient;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.BodyContentSpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what Actuator shows of ring kernels, over HTTP.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=health,info,ringkernels",
				"management.endpoint.ringkernels.access=unrestricted", "management.endpoint.health.show-details=always",
				"management.endpoint.ringkernels.show-values=always", "management.info.ringkernel.enabled=true",
				"management.endpoint.health.probes.enabled=true",
				"management.endpoint.health.group.readiness.include=readinessState,ringKernel",
				"ringkernel.backend=cpu", "ringkernel.timing-interval=1" })
class ActuatorOverHttpTests {

	@Autowired
	private RingKernelClient<Number, Number> twice;

	@Autowired
	private RingKernelClient<Number, Text> repeatText;

	@Autowired
	private RingKernelRuntime runtime;

	private RestTestClient http;

	private String base;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.base = "http://localhost:%d/actuator".formatted(port);
		this.http = RestTestClient.bindToServer().baseUrl(this.base).build();
	}

	@AfterEach
	void relaunch() {
		this.runtime.kernels().forEach((kernel) -> kernel.relaunch());
	}

	@Test
	void healthShowsEveryKernel() {
		this.twice.call(new Number(1));
		get("/health", HttpStatus.OK).jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.ringKernel.status")
			.isEqualTo("UP")
			.jsonPath("$.components.ringKernel.components.twice.status")
			.isEqualTo("UP")
			.jsonPath("$.components.ringKernel.components.twice.details.state")
			.isEqualTo("ACTIVE")
			.jsonPath("$.components.ringKernel.components.twice.details.processed")
			.isNumber()
			.jsonPath("$.components.ringKernel.components.twice.details.reasons[0]")
			.isEqualTo("backend 'cpu' was asked for")
			.jsonPath("$.components.ringKernel.components.repeat-text.status")
			.isEqualTo("UP");
	}

	@Test
	void healthIsOutOfServiceWhereAKernelIsInactive() {
		act("twice", Map.of("action", "deactivate"), HttpStatus.OK);
		get("/health", HttpStatus.SERVICE_UNAVAILABLE).jsonPath("$.components.ringKernel.status")
			.isEqualTo("OUT_OF_SERVICE");
		get("/health/ringKernel/repeat-text", HttpStatus.OK).jsonPath("$.status").isEqualTo("UP");
	}

	@Test
	void platformIsUpAndSaysWhyItIsWhatItIs() {
		get("/health/ringKernelPlatform", HttpStatus.OK).jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.details.demanded")
			.isEqualTo("cpu")
			.jsonPath("$.details.plan.backend")
			.isEqualTo("cpu")
			.jsonPath("$.details.plan.reasons[0]")
			.isEqualTo("backend 'cpu' was asked for");
	}

	@Test
	void livenessDoesNotDependOnKernelsAndReadinessDoesWhereItIsAskedTo() {
		act("twice", Map.of("action", "deactivate"), HttpStatus.OK);
		get("/health/liveness", HttpStatus.OK).jsonPath("$.status").isEqualTo("UP");
		get("/health/readiness", HttpStatus.SERVICE_UNAVAILABLE).jsonPath("$.status").isEqualTo("OUT_OF_SERVICE");
		act("twice", Map.of("action", "activate"), HttpStatus.OK);
		get("/health/readiness", HttpStatus.OK).jsonPath("$.status").isEqualTo("UP");
	}

	@Test
	void infoShowsThePlatformAndThePlan() {
		get("/info", HttpStatus.OK).jsonPath("$.ringkernel.processors")
			.exists()
			.jsonPath("$.ringkernel.plan.backend")
			.isEqualTo("cpu")
			.jsonPath("$.ringkernel.plan.reasons")
			.isNotEmpty();
	}

	@Test
	void kernelShowsItsLatenciesAndItsLastErrors() {
		this.twice.call(new Number(1));
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> this.repeatText.call(new Number(1000)));
		get("/ringkernels/twice", HttpStatus.OK).jsonPath("$.latency.unit")
			.isEqualTo("ns")
			.jsonPath("$.latency.total.count")
			.isNumber()
			.jsonPath("$.latency.total.p50")
			.isNumber()
			.jsonPath("$.latency.total['p99.9']")
			.isNumber()
			.jsonPath("$.latency.handling.max")
			.isNumber()
			.jsonPath("$.occupancy")
			.isEqualTo(0.0)
			.jsonPath("$.oldestRequestAgeMillis")
			.isEqualTo(0);
		get("/ringkernels/repeat-text", HttpStatus.OK).jsonPath("$.lastErrors[0].type")
			.isEqualTo("HandlerFailedException")
			.jsonPath("$.lastErrors[0].message")
			.value(String.class, (message) -> assertThat(message).contains("repeat-text"));
	}

	@Test
	void ringShowsItsSlotsAndItsControlBlock() {
		this.twice.call(new Number(1));
		get("/ringkernels/twice/ring", HttpStatus.OK).jsonPath("$.violations")
			.isEmpty()
			.jsonPath("$.head")
			.isNumber()
			.jsonPath("$.states.FREE")
			.isNumber()
			.jsonPath("$.control.magic")
			.isEqualTo(true)
			.jsonPath("$.control.command")
			.isEqualTo("RUN")
			.jsonPath("$.control.workerLines[0].processed")
			.isNumber()
			.jsonPath("$.slots[0].state")
			.isEqualTo("FREE")
			.jsonPath("$.slots[0].requestTag")
			.isEqualTo(1);
	}

	@Test
	void codeShowsTheHandlersLinesBesideTheirPtx() {
		get("/ringkernels/twice/code", HttpStatus.OK).jsonPath("$.handler")
			.isEqualTo(Twice.class.getName() + ".handle")
			.jsonPath("$.lines[1].source")
			.value(String.class, (source) -> assertThat(source).startsWith(Twice.class.getName() + ".handle:"))
			.jsonPath("$.lines[1].ptx[0]")
			.isNotEmpty()
			.jsonPath("$.registersPerThread")
			.doesNotExist()
			.jsonPath("$.backend")
			.isEqualTo("cpu")
			.jsonPath("$.reasons[0]")
			.isNotEmpty();
		get("/ringkernels/repeat-text/code", HttpStatus.OK).jsonPath("$.image")
			.isEqualTo("classpath:repeat.ptx")
			.jsonPath("$.lines")
			.doesNotExist();
	}

	@Test
	void ringThatIsNotThereIsNotFound() {
		get("/ringkernels/none/ring", HttpStatus.NOT_FOUND).jsonPath("$.detail")
			.isEqualTo("There is no ring kernel 'none'.");
		get("/ringkernels/twice/square", HttpStatus.NOT_FOUND).jsonPath("$.detail")
			.isEqualTo("There is no view 'square' of a ring kernel. Use 'ring' or 'code'.");
		act("twice", Map.of("action", "terminate"), HttpStatus.OK);
		get("/ringkernels/twice/ring", HttpStatus.NOT_FOUND).jsonPath("$.detail")
			.isEqualTo("Ring kernel 'twice' is TERMINATED and has no ring. Relaunch it.");
	}

	@Test
	void endpointShowsPlatformAndKernels() {
		get("/ringkernels", HttpStatus.OK).jsonPath("$.platform.processors")
			.exists()
			.jsonPath("$.platform.plan.backend")
			.isEqualTo("cpu")
			.jsonPath("$.platform.plan.mode")
			.isEqualTo("persistent")
			.jsonPath("$.platform.plan.transport")
			.isEqualTo("direct")
			.jsonPath("$.platform.plan.reasons[0]")
			.isEqualTo("backend 'cpu' was asked for")
			.jsonPath("$.kernels.twice.state")
			.isEqualTo("ACTIVE")
			.jsonPath("$.kernels.twice.backend")
			.isEqualTo("cpu")
			.jsonPath("$.kernels.repeat-text.processed")
			.isNumber()
			.jsonPath("$.kernels.twice.lastFailure")
			.doesNotExist();
	}

	@Test
	void endpointShowsOneKernel() {
		get("/ringkernels/repeat-text", HttpStatus.OK).jsonPath("$.state")
			.isEqualTo("ACTIVE")
			.jsonPath("$.mode")
			.isEqualTo("persistent");
	}

	@Test
	void actionReturnsTheNewStatus() {
		act("twice", Map.of("action", "deactivate"), HttpStatus.OK).jsonPath("$.state").isEqualTo("INACTIVE");
		act("twice", Map.of("action", "activate"), HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
		act("twice", Map.of("action", "terminate"), HttpStatus.OK).jsonPath("$.state").isEqualTo("TERMINATED");
		act("twice", Map.of("action", "relaunch"), HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
	}

	@Test
	void unknownKernelIsNotFound() {
		get("/ringkernels/none", HttpStatus.NOT_FOUND).jsonPath("$.detail")
			.isEqualTo("There is no ring kernel 'none'.");
		act("none", Map.of("action", "activate"), HttpStatus.NOT_FOUND).jsonPath("$.status").isEqualTo(404);
	}

	@Test
	void actionThatTheStateDoesNotAllowIsAConflict() {
		act("twice", Map.of("action", "activate"), HttpStatus.CONFLICT).jsonPath("$.title")
			.isEqualTo("Conflict")
			.jsonPath("$.detail")
			.isEqualTo("Ring kernel 'twice' cannot go from ACTIVE to ACTIVE.");
	}

	@Test
	void unknownActionIsABadRequest() {
		act("twice", Map.of("action", "explode"), HttpStatus.BAD_REQUEST).jsonPath("$.detail")
			.isEqualTo("There is no action 'explode'. Use one of activate, deactivate, terminate, relaunch.");
	}

	@Test
	void missingActionIsABadRequest() {
		act("twice", Map.of(), HttpStatus.BAD_REQUEST).jsonPath("$.detail")
			.isEqualTo("The action is missing. Use one of activate, deactivate, terminate, relaunch.");
	}

	@Test
	void problemIsAProblemDocument() {
		this.http.get()
			.uri("/ringkernels/none")
			.exchange()
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/ringkernels/twice?id=repeat-text", "/ringkernels/twice?id=twice",
			"/ringkernels/twice?id=repeat-text&id=twice", "/ringkernels/twice/ring?id=repeat-text",
			"/ringkernels/twice/ring?view=ring" })
	void queryDoesNotReplaceWhatThePathNames(String path) {
		get(path, HttpStatus.BAD_REQUEST).jsonPath("$.detail")
			.value(String.class, (detail) -> assertThat(detail).startsWith("The query has '"))
			.jsonPath("$.state")
			.doesNotExist();
	}

	@Test
	void queryOfNoConcernIsIgnored() {
		get("/ringkernels/twice?pretty=true", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
	}

	@Test
	void bodyDoesNotReplaceTheKernelThatThePathNames() {
		act("repeat-text", Map.of("action", "terminate", "id", "twice"), HttpStatus.BAD_REQUEST).jsonPath("$.detail")
			.isEqualTo("The body has 'id'. Name the kernel in the path alone.");
		act("none", Map.of("action", "terminate", "id", "twice"), HttpStatus.BAD_REQUEST);
		get("/ringkernels/twice", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
		get("/ringkernels/repeat-text", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
	}

	@Test
	void queryDoesNotReplaceTheActionOfTheBody() {
		for (String query : List.of("action=terminate", "id=twice")) {
			this.http.post()
				.uri("/ringkernels/repeat-text?" + query)
				.contentType(MediaType.APPLICATION_JSON)
				.body(Map.of("action", "deactivate"))
				.exchange()
				.expectStatus()
				.isBadRequest();
		}
		get("/ringkernels/repeat-text", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
		get("/ringkernels/twice", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
	}

	@ParameterizedTest
	@ValueSource(strings = { "*/*", "application/*", "*/*;charset=utf-8", "multipart/form-data",
			"Multipart/form-data;boundary=x", "multipart/mixed" })
	void contentTypeThatIsARangeOrOfPartsIsUnsupported(String contentType) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.base + "/ringkernels/twice"))
			.header("Content-Type", contentType)
			.POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"deactivate\"}"))
			.build();
		HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(415);
		assertThat(response.body()).doesNotContain("Exception");
		get("/ringkernels/twice", HttpStatus.OK).jsonPath("$.state").isEqualTo("ACTIVE");
	}

	@Test
	void longTextIsNotRepeated() {
		String text = "x".repeat(50_000);
		act("twice", Map.of("action", text), HttpStatus.BAD_REQUEST).jsonPath("$.detail")
			.isEqualTo("There is no action '%s…'. Use one of activate, deactivate, terminate, relaunch."
				.formatted("x".repeat(64)));
		get("/ringkernels/" + "x".repeat(1000), HttpStatus.NOT_FOUND).jsonPath("$.detail")
			.isEqualTo("There is no ring kernel '%s…'.".formatted("x".repeat(64)));
		get("/ringkernels/twice/" + "x".repeat(1000), HttpStatus.NOT_FOUND).jsonPath("$.detail")
			.isEqualTo("There is no view '%s…' of a ring kernel. Use 'ring' or 'code'.".formatted("x".repeat(64)));
	}

	private BodyContentSpec get(String path, HttpStatus expected) {
		return this.http.get().uri(path).exchange().expectStatus().isEqualTo(expected).expectBody();
	}

	private BodyContentSpec act(String kernelId, Map<String, String> body, HttpStatus expected) {
		return this.http.post()
			.uri("/ringkernels/{id}", kernelId)
			.contentType(MediaType.APPLICATION_JSON)
			.body(body)
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
