package io.ringkernel.sample;

import io.ringkernel.sampletest.SampleTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class ActuatorTests {

	@Autowired
	private RestTestClient http;

	@AfterEach
	void relaunch() {
		act("vector-add", "relaunch").expectStatus().isOk();
	}

	@Test
	void showsThePlatformThePlanAndEveryKernel() {
		RestTestClient.BodyContentSpec body = get("/actuator/ringkernels").expectStatus().isOk().expectBody();
		body.json("""
				{"platform": {"plan": {"backend": "cpu", "mode": "persistent", "transport": "direct"}},
				 "kernels": {
				   "vector-add": {"state": "ACTIVE", "backend": "cpu", "mode": "persistent", "transport": "direct",
				                  "failed": 0, "inFlight": 0, "workers": 4},
				   "nearest-neighbours": {"state": "ACTIVE", "backend": "cpu", "processed": 0, "slots": 64}}}
				""");
		body.jsonPath("$.platform.plan.reasons[0]").isNotEmpty();
	}

	@Test
	void countsWhatAKernelHasProcessed() {
		int before = processed();
		add().expectStatus().isOk();
		add().expectStatus().isOk();
		assertThat(processed()).isEqualTo(before + 2);
	}

	private int processed() {
		Integer[] processed = new Integer[1];
		get("/actuator/ringkernels/vector-add").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.processed")
			.value(Integer.class, (value) -> processed[0] = value);
		return processed[0];
	}

	@Test
	void showsTheHealthOfEveryKernelWithItsNumbers() {
		get("/actuator/health").expectStatus().isOk().expectBody().json("""
				{"status": "UP", "components": {"ringKernel": {"status": "UP", "components": {
				  "vector-add": {"status": "UP", "details": {"state": "ACTIVE", "backend": "cpu", "inFlight": 0}},
				  "nearest-neighbours": {"status": "UP", "details": {"state": "ACTIVE", "slots": 64}}}}}}
				""");
	}

	@Test
	void deactivatesAndActivatesAKernelAtRunTime() {
		act("vector-add", "deactivate").expectStatus().isOk().expectBody().jsonPath("$.state").isEqualTo("INACTIVE");
		add().expectStatus()
			.isEqualTo(503)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectHeader()
			.valueEquals(HttpHeaders.RETRY_AFTER, "1");
		get("/actuator/health").expectStatus()
			.isEqualTo(503)
			.expectBody()
			.jsonPath("$.components.ringKernel.components.vector-add.status")
			.isEqualTo("OUT_OF_SERVICE");
		get("/api/neighbours").expectStatus().isOk();

		act("vector-add", "activate").expectStatus().isOk().expectBody().jsonPath("$.state").isEqualTo("ACTIVE");
		add().expectStatus().isOk();
	}

	@Test
	void terminatesAndRelaunchesAKernelAtRunTime() {
		act("vector-add", "terminate").expectStatus().isOk();
		add().expectStatus().isEqualTo(503);
		act("vector-add", "relaunch").expectStatus().isOk();
		add().expectStatus().isOk();
	}

	@ParameterizedTest
	@CsvSource({ "vector-add, activate, 409", "vector-add, explode, 400", "no-kernel, activate, 404" })
	void refusesWhatCannotBeDone(String kernel, String action, int status) {
		act(kernel, action).expectStatus().isEqualTo(status);
		add().expectStatus().isOk();
	}

	@Test
	void refusesABodyThatIsNoObjectInTheWordsOfJson() {
		this.http.post()
			.uri("/actuator/ringkernels/vector-add")
			.contentType(MediaType.APPLICATION_JSON)
			.body("[]")
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("body is required and has to be a JSON object.");
	}

	private RestTestClient.ResponseSpec get(String path) {
		return this.http.get().uri(path).exchange();
	}

	private RestTestClient.ResponseSpec act(String kernel, String action) {
		return this.http.post()
			.uri("/actuator/ringkernels/{id}", kernel)
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"action\":\"%s\"}".formatted(action))
			.exchange();
	}

	private RestTestClient.ResponseSpec add() {
		return this.http.post()
			.uri("/api/vector-add")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"a\":[1,2,3],\"b\":[10,20,30]}")
			.exchange();
	}

}
