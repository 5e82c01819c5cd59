package io.ringkernel.sample.packaging;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * The bill of materials, which the profile {@code release} makes, by Spring Boot's
 * endpoint.
 */
@Tag("release")
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.MOCK,
		properties = { "management.endpoints.web.exposure.include=sbom", "ringkernel.backend=cpu" })
@AutoConfigureRestTestClient
class SbomTests {

	@Test
	void namesWhatTheApplicationConsistsOf(@Autowired RestTestClient http) {
		http.get()
			.uri("/actuator/sbom/application")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.bomFormat")
			.isEqualTo("CycloneDX")
			.jsonPath("$.metadata.component.name")
			.isEqualTo("sample-app")
			.jsonPath("$.components[?(@.group == 'io.ringkernel' && @.name == 'ringkernel-core')]")
			.exists()
			.jsonPath(
					"$.components[?(@.purl == 'pkg:maven/org.jcuda/jcuda-natives@12.6.0?classifier=linux-x86_64&type=jar')]")
			.exists();
	}

}
