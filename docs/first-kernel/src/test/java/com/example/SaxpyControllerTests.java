package com.example;

import java.time.Duration;

import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigureRingKernelFaults;
import io.ringkernel.test.fault.RingKernelFaults;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = "ringkernel.kernels.saxpy.request-timeout=2s")
@AutoConfigureRestTestClient
@AutoConfigureRingKernelFaults
class SaxpyControllerTests {

	@Autowired
	private RestTestClient http;

	@Autowired
	private RingKernelFaults faults;

	@Test
	void answers() {
		post().expectStatus().isOk().expectBody().json("{\"values\":[12.0,24.0,36.0]}");
	}

	@Test
	void failsWithinItsTimeoutWhenTheKernelIsSlow() {
		this.faults.delay("saxpy", Duration.ofMinutes(1));
		post().expectStatus().is5xxServerError();
	}

	private RestTestClient.ResponseSpec post() {
		return this.http.post()
			.uri("/saxpy")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"a\":2,\"x\":[1,2,3],\"y\":[10,20,30]}")
			.exchange();
	}

}
