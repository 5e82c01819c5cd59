package io.ringkernel.sample.web;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.sampletest.SampleTest;
import io.ringkernel.sampletest.FaultyKernel;
import io.ringkernel.sampletest.FaultyKernel.Behaviour;
import io.ringkernel.sampletest.FaultyKernel.Done;
import io.ringkernel.sampletest.FaultyKernel.Gate;
import io.ringkernel.sampletest.FaultyKernel.Order;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SampleTest
@Import(FaultyKernel.class)
@ExtendWith(OutputCaptureExtension.class)
@TestPropertySource(properties = { "ringkernel.kernels.faulty.ring-memory=768B",
		"ringkernel.kernels.faulty.backpressure=reject", "ringkernel.kernels.faulty.request-timeout=1s" })
class KernelFailureHttpTests {

	@Autowired
	private RestTestClient http;

	@Autowired
	private RingKernelClient<Order, Done> client;

	@Autowired
	private Kernel<Order, Done> kernel;

	@Autowired
	private Gate gate;

	@BeforeEach
	void close() {
		this.gate.close();
	}

	@AfterEach
	void open() {
		this.gate.open();
		await().until(() -> this.kernel.status().inFlight() == 0);
	}

	@Test
	void answersWhenNothingIsWrong() {
		post(Behaviour.ANSWER).expectStatus().isOk().expectBody().json("{\"done\": true}");
	}

	@Test
	void tellsThatTheRingIsFullAndWhenToTryAgain() {
		int slots = this.kernel.status().slots();
		List<CompletableFuture<Done>> held = Stream
			.generate(() -> this.client.submit(new Order(Behaviour.WAIT), Duration.ofSeconds(30)))
			.limit(slots)
			.toList();
		unavailable(post(Behaviour.ANSWER)).jsonPath("$.detail")
			.value(String.class, (detail) -> assertThat(detail)
				.startsWith("The ring of kernel 'faulty' is full: %1$d of %1$d slots".formatted(slots)));
		this.gate.open();
		assertThat(held).allSatisfy((reply) -> assertThat(reply.join()).isEqualTo(new Done(true)));
	}

	@Test
	void tellsThatTheKernelIsInactiveAndWhenToTryAgain() {
		this.kernel.deactivate();
		try {
			unavailable(post(Behaviour.ANSWER)).jsonPath("$.detail")
				.isEqualTo(
						"Ring kernel 'faulty' takes no requests: it is INACTIVE, not ACTIVE. It was deactivated. Activate it.");
		}
		finally {
			this.kernel.activate();
		}
		post(Behaviour.ANSWER).expectStatus().isOk();
	}

	@Test
	void tellsThatTheKernelWasTerminatedAndServesAgainOnceRelaunched() {
		this.kernel.terminate();
		try {
			unavailable(post(Behaviour.ANSWER));
		}
		finally {
			this.kernel.relaunch();
		}
		post(Behaviour.ANSWER).expectStatus().isOk();
	}

	@Test
	void tellsThatTheKernelIsSlow() {
		problem(post(Behaviour.WAIT).expectStatus().isEqualTo(504)).jsonPath("$.detail")
			.value(String.class, (detail) -> assertThat(detail).contains("'faulty' did not answer within 1s"));
	}

	@Test
	void tellsThatTheHandlerFailedAndKeepsTheReasonInTheLog(CapturedOutput output) {
		String body = new String(
				problem(post(Behaviour.FAIL).expectStatus().isEqualTo(500)).returnResult().getResponseBody());
		assertThat(body).doesNotContain("secret", "Exception", "\tat ", "trace");
		assertThat(output).contains("secret of the handler");
	}

	@Test
	void refusesAParameterOfAnotherType() {
		problem(this.http.post().uri("/faulty/" + "x".repeat(2000)).exchange().expectStatus().isBadRequest())
			.jsonPath("$.detail")
			.isEqualTo("behaviour is no Behaviour.");
	}

	private RestTestClient.ResponseSpec post(Behaviour behaviour) {
		return this.http.post().uri("/faulty/" + behaviour).exchange();
	}

	private static RestTestClient.BodyContentSpec unavailable(RestTestClient.ResponseSpec response) {
		return problem(response.expectStatus().isEqualTo(503).expectHeader().valueEquals(HttpHeaders.RETRY_AFTER, "1"));
	}

	private static RestTestClient.BodyContentSpec problem(RestTestClient.ResponseSpec response) {
		return response.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON).expectBody();
	}

}
