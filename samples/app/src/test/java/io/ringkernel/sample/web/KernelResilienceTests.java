package io.ringkernel.sample.web;

import java.time.Duration;

import io.ringkernel.sample.vectoradd.VectorAddRequest;
import io.ringkernel.sampletest.SampleTest;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigureRingKernelFaults;
import io.ringkernel.test.fault.Fault;
import io.ringkernel.test.fault.RingKernelFaults;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * What a caller over HTTP sees of a kernel that is slow, lost, stuck or full.
 */
@SampleTest
@AutoConfigureRingKernelFaults
@TestPropertySource(properties = { "ringkernel.kernels.vector-add.request-timeout=1s",
		"ringkernel.kernels.vector-add.stop-timeout=200ms" })
class KernelResilienceTests {

	private static final VectorAddRequest ONES = new VectorAddRequest(new float[] { 1 }, new float[] { 1 });

	@Autowired
	private RestTestClient http;

	@Autowired
	private RingKernelFaults faults;

	@BeforeEach
	void everyTestBeginsWithAKernelThatAnswers() {
		add().expectStatus().isOk();
	}

	@Test
	void aSlowKernelStillAnswers() {
		this.faults.delay("vector-add", Duration.ofMillis(50));
		add().expectStatus().isOk().expectBody().json("{\"sum\": [2.0]}");
	}

	@Test
	void aKernelThatIsTooSlowIsAGatewayTimeout() {
		this.faults.drop("vector-add");
		add().expectStatus().isEqualTo(504).expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	@Test
	void oneFailureIsAnErrorOfOneRequest() {
		this.faults.script("vector-add", Fault.failure(() -> new IllegalStateException("bits flipped")));
		add().expectStatus().isEqualTo(500);
		add().expectStatus().isOk();
	}

	@Test
	void aFullRingAsksToTryAgain() {
		this.faults.fillRing("vector-add", ONES);
		add().expectStatus().isEqualTo(503).expectHeader().valueEquals(HttpHeaders.RETRY_AFTER, "1");
	}

	@Test
	void aLostDeviceTakesOneKernelDownAndHealthTells() {
		this.faults.loseDevice("vector-add");
		add().expectStatus().isEqualTo(503);
		this.http.get()
			.uri("/actuator/health")
			.exchange()
			.expectStatus()
			.isEqualTo(503)
			.expectBody()
			.jsonPath("$.components.ringKernel.components['vector-add'].status")
			.isEqualTo("DOWN");
		this.http.get()
			.uri("/actuator/ringkernels/nearest-neighbours")
			.exchange()
			.expectBody()
			.jsonPath("$.state")
			.isEqualTo("ACTIVE");
	}

	@Test
	void aStuckKernelHoldsNobodyUpBeyondTheTimeout() {
		this.faults.stick("vector-add");
		add().expectStatus().isEqualTo(504);
		this.http.get().uri("/actuator/health").exchange().expectBody().jsonPath("$.components.ringKernel").exists();
	}

	private RestTestClient.ResponseSpec add() {
		return this.http.post()
			.uri("/api/vector-add")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"a\": [1], \"b\": [1]}")
			.exchange();
	}

}
