package io.ringkernel.spring.boot.autoconfigure.web;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.ringkernel.Capacity;
import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.web.RingKernelProblemAdvice;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RingKernelProblemAutoConfiguration}, behind Spring MVC and WebFlux.
 */
class RingKernelProblemAutoConfigurationTests {

	private static final String LONG = "xxxxxxxxx";

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
				RingKernelProblemAutoConfiguration.class, JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class))
		.withBean(Calls.class)
		.withBean(Greeter.class)
		.withPropertyValues("ringkernel.backend=cpu");

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
				RingKernelProblemAutoConfiguration.class, JacksonAutoConfiguration.class, CodecsAutoConfiguration.class,
				WebFluxAutoConfiguration.class, HttpHandlerAutoConfiguration.class))
		.withBean(Calls.class)
		.withBean(Greeter.class)
		.withPropertyValues("ringkernel.backend=cpu");

	@Test
	void textOverItsCapacityIsABadRequestWithFieldValueAndLimit() {
		inBoth((http) -> problem(http, "/greet", "{\"text\": \"" + LONG + "\"}", HttpStatus.BAD_REQUEST)
			.json("{\"title\": \"Invalid input\", \"field\": \"text\", \"value\": 9, \"limit\": 8}"));
	}

	@Test
	void missingTextIsABadRequestWithField() {
		inBoth((http) -> problem(http, "/greet", "{}", HttpStatus.BAD_REQUEST)
			.json("{\"title\": \"Invalid input\", \"field\": \"text\"}")
			.jsonPath("$.limit")
			.doesNotExist());
	}

	@Test
	void argumentThatTheHandlerRefusesIsABadRequestWithoutItsWords() {
		inBoth((http) -> assertThat(text(http, "/greet", "{\"text\": \"refuse\"}", HttpStatus.BAD_REQUEST))
			.contains("Invalid input")
			.doesNotContain("secret", "Exception"));
	}

	@Test
	void failureOfTheHandlerIsAnInternalErrorWithoutItsWords() {
		inBoth((http) -> assertThat(text(http, "/greet", "{\"text\": \"fail\"}", HttpStatus.INTERNAL_SERVER_ERROR))
			.contains("the log of the application says why")
			.doesNotContain("secret", "Exception"));
	}

	static Stream<Arguments> failures() {
		return Stream.of(Arguments.of(new RingFullException("greeter", 4, 4, Duration.ZERO), 503, "1"),
				Arguments.of(new KernelNotActiveException("greeter", KernelState.INACTIVE), 503, "1"),
				Arguments.of(new KernelNotActiveException("greeter", KernelState.FAILED), 503, null),
				Arguments.of(new RequestLostException("greeter", 7), 503, null),
				Arguments.of(new KernelTerminatedException("greeter", null), 503, null),
				Arguments.of(new RequestInterruptedException("greeter"), 503, null),
				Arguments.of(new RequestTimeoutException("greeter", Duration.ofSeconds(1)), 504, null));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void statusSaysWhetherToTryAgain(RingKernelException failure, int status, @Nullable String retryAfter)
			throws Exception {
		ResponseEntity<ProblemDetail> response = new RingKernelProblemAdvice().answer(failure, failure);
		assertThat(response.getStatusCode().value()).isEqualTo(status);
		assertThat(response.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo(retryAfter);
	}

	@Test
	void exceptionOfTheApplicationKeepsItsStatus() {
		inBoth((http) -> post(http, "/own", "{\"text\": \"" + LONG + "\"}").expectStatus()
			.isEqualTo(HttpStatus.CONFLICT));
	}

	@Test
	void adviceOfTheApplicationComesFirst() {
		this.servlet.withBean(Own.class)
			.run((context) -> post(servletClient(context), "/greet", "{}").expectStatus().isEqualTo(HttpStatus.GONE));
		this.reactive.withBean(Own.class)
			.run((context) -> post(reactiveClient(context), "/greet", "{}").expectStatus().isEqualTo(HttpStatus.GONE));
	}

	private void inBoth(Consumer<WebTestClient> test) {
		this.servlet.run((context) -> test.accept(servletClient(context)));
		this.reactive.run((context) -> test.accept(reactiveClient(context)));
	}

	private static WebTestClient servletClient(WebApplicationContext context) {
		return MockMvcWebTestClient.bindToApplicationContext(context).build();
	}

	private static WebTestClient reactiveClient(ApplicationContext context) {
		return WebTestClient.bindToApplicationContext(context).build();
	}

	private static WebTestClient.ResponseSpec post(WebTestClient http, String path, String body) {
		return http.post().uri(path).contentType(MediaType.APPLICATION_JSON).bodyValue(body).exchange();
	}

	private static WebTestClient.BodyContentSpec problem(WebTestClient http, String path, String body,
			HttpStatus status) {
		return post(http, path, body).expectStatus()
			.isEqualTo(status)
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody();
	}

	private static String text(WebTestClient http, String path, String body, HttpStatus status) {
		return new String(problem(http, path, body, status).returnResult().getResponseBodyContent());
	}

	public record Text(@Capacity(8) String text) {
	}

	@RingKernel(id = "greeter")
	static class Greeter implements RingKernelHandler<Text, Text> {

		@Override
		public Text handle(Text request) {
			switch (request.text()) {
				case "refuse" -> throw new IllegalArgumentException("secret of the handler");
				case "fail" -> throw new IllegalStateException("secret of the handler");
				default -> {
					return request;
				}
			}
		}

	}

	@RestController
	static class Calls {

		private final RingKernelClient<Text, Text> greeter;

		Calls(RingKernelClient<Text, Text> greeter) {
			this.greeter = greeter;
		}

		@PostMapping("/greet")
		Text greet(@RequestBody Text request) {
			return this.greeter.call(request);
		}

		@PostMapping("/own")
		Text own(@RequestBody Text request) {
			try {
				return this.greeter.call(request);
			}
			catch (RingKernelException ex) {
				throw new ResponseStatusException(HttpStatus.CONFLICT, "its own", ex);
			}
		}

	}

	@ControllerAdvice
	static class Own {

		@ExceptionHandler
		ResponseEntity<Void> gone(RingKernelException ex) {
			return ResponseEntity.status(HttpStatus.GONE).build();
		}

	}

}
