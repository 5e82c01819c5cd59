package io.ringkernel.spring.boot.starter.test;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;

/**
 * Tests for the endpoint behind {@link ActuatorSecurity}.
 */
@SpringBootTest(classes = { SecuredApplication.class, ActuatorSecurity.class },
		properties = { "ringkernel.backend=cpu", "management.endpoint.ringkernels.access=unrestricted",
				"management.endpoints.web.exposure.include=health,ringkernels" })
@AutoConfigureMockMvc
class ActuatorSecurityTests {

	@Autowired
	private MockMvcTester mvc;

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/ringkernels", "/actuator/ringkernels/echo", "/actuator" })
	void strangersAreAskedWhoTheyAre(String path) {
		assertThat(this.mvc.get().uri(path)).hasStatus(401);
	}

	@Test
	void healthAnswersEverybodyWithoutDetails() {
		assertThat(this.mvc.get().uri("/actuator/health")).hasStatusOk()
			.bodyJson()
			.doesNotHavePath("$.components")
			.extractingPath("$.status")
			.isEqualTo("UP");
	}

	@ParameterizedTest
	@ValueSource(strings = { SecuredApplication.MONITORING, SecuredApplication.OPERATOR })
	void monitoringAndOperatorsRead(String user) {
		assertThat(this.mvc.get().uri("/actuator/ringkernels/echo").with(httpBasic(user, user))).hasStatusOk()
			.bodyJson()
			.extractingPath("$.state")
			.isEqualTo("ACTIVE");
	}

	@Test
	void monitoringMayNotAct() {
		assertThat(relaunch(SecuredApplication.MONITORING)).hasStatus(403);
	}

	@Test
	void operatorsAct() {
		assertThat(relaunch(SecuredApplication.OPERATOR)).hasStatusOk()
			.bodyJson()
			.extractingPath("$.state")
			.isEqualTo("ACTIVE");
	}

	@Test
	void aFormOfAnotherSiteIsRefusedByItsType() {
		assertThat(this.mvc.post()
			.uri("/actuator/ringkernels/echo")
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.content("action=terminate")
			.with(httpBasic(SecuredApplication.OPERATOR, SecuredApplication.OPERATOR))).hasStatus(415);
	}

	private MockMvcTester.MockMvcRequestBuilder relaunch(String user) {
		return this.mvc.post()
			.uri("/actuator/ringkernels/echo")
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"action\":\"relaunch\"}")
			.with(httpBasic(user, user));
	}

}
