package io.ringkernel.spring.boot.starter.test;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;

/**
 * Tests for the endpoint behind what Spring Security does by itself.
 */
@SpringBootTest(classes = SecuredApplication.class,
		properties = { "ringkernel.backend=cpu", "management.endpoint.ringkernels.access=unrestricted",
				"management.endpoints.web.exposure.include=ringkernels" })
@AutoConfigureMockMvc
class CsrfProtectionTests {

	@Autowired
	private MockMvcTester mvc;

	@Test
	void actionWithoutATokenIsForbiddenWhoeverAsks() {
		assertThat(relaunch()).hasStatus(403);
	}

	@Test
	void actionWithATokenIsTaken() {
		assertThat(relaunch().with(csrf())).hasStatusOk();
	}

	private MockMvcTester.MockMvcRequestBuilder relaunch() {
		return this.mvc.post()
			.uri("/actuator/ringkernels/echo")
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"action\":\"relaunch\"}")
			.with(httpBasic(SecuredApplication.OPERATOR, SecuredApplication.OPERATOR));
	}

}
