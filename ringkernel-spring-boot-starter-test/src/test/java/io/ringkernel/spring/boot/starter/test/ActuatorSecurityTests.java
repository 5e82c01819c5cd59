package io.ringkernel.spring.boot.starter.test;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;

/**
 * Tests for the endpoint behind {@link ActuatorSecurity}.
 */
@SpringBootTest(
		classes = { SecuredApplication.class, ActuatorSecurity.class, ActuatorSecurityTests.VectorStores.class,
				ActuatorSecurityTests.Models.class },
		properties = { "ringkernel.backend=cpu", "management.endpoint.ringkernels.access=unrestricted",
				"management.endpoints.web.exposure.include=health,ringkernels,vectorstore,ringkernelmodels" })
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

	@ParameterizedTest
	@ValueSource(strings = { "ringkernels/echo", "vectorstore/documents", "ringkernelmodels/fraud" })
	void monitoringMayNotAct(String path) {
		assertThat(act(SecuredApplication.MONITORING, path)).hasStatus(403);
	}

	@Test
	void operatorsAct() {
		assertThat(act(SecuredApplication.OPERATOR, "ringkernels/echo")).hasStatusOk()
			.bodyJson()
			.extractingPath("$.state")
			.isEqualTo("ACTIVE");
	}

	@ParameterizedTest
	@ValueSource(strings = { "vectorstore/documents", "ringkernelmodels/fraud" })
	void operatorsActOnStoresAndModels(String path) {
		assertThat(act(SecuredApplication.OPERATOR, path)).hasStatusOk();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ringkernels/echo", "vectorstore/documents", "ringkernelmodels/fraud" })
	void aFormOfAnotherSiteIsRefusedByItsType(String path) {
		assertThat(this.mvc.post()
			.uri("/actuator/" + path)
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.content("action=terminate")
			.with(httpBasic(SecuredApplication.OPERATOR, SecuredApplication.OPERATOR))).hasStatus(415);
	}

	private MockMvcTester.MockMvcRequestBuilder act(String user, String path) {
		return this.mvc.post()
			.uri("/actuator/" + path)
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"action\":\"relaunch\"}")
			.with(httpBasic(user, user));
	}

	/** Has the operation of the endpoint of {@code ringkernel-spring-ai}. */
	@Endpoint(id = "vectorstore")
	static class VectorStores {

		@WriteOperation
		Map<String, String> act(@Selector String name, @Nullable String action) {
			return Map.of(name, String.valueOf(action));
		}

	}

	/** Has the operation of the endpoint of {@code ringkernel-models}. */
	@Endpoint(id = "ringkernelmodels")
	static class Models {

		@WriteOperation
		Map<String, String> act(@Selector String name, @Nullable String action) {
			return Map.of(name, String.valueOf(action));
		}

	}

}
