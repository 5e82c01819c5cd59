package io.ringkernel.sample;

import io.ringkernel.sampletest.RestClients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample as it is deployed, without the profile of a developer.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "ringkernel.backend=cpu")
@Import(RestClients.class)
class DefaultProfileTests {

	@Autowired
	private RestTestClient http;

	@Test
	void showsKernelsAndOffersNoActions() {
		this.http.post()
			.uri("/actuator/ringkernels/vector-add")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"action\":\"terminate\"}")
			.exchange()
			.expectStatus()
			.isEqualTo(405)
			.expectHeader()
			.value("Allow", (allowed) -> assertThat(allowed).isEqualTo(HttpMethod.GET.name()));
		this.http.get()
			.uri("/actuator/ringkernels/vector-add")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.state")
			.isEqualTo("ACTIVE");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/livez", "/readyz" })
	void probesAnswerOnThePortOfTheApiWithoutDetails(String path) {
		this.http.get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json("{\"status\": \"UP\"}")
			.jsonPath("$.components")
			.doesNotExist();
	}

}
