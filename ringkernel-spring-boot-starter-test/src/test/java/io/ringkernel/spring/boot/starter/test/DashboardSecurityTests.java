package io.ringkernel.spring.boot.starter.test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the dashboard behind {@link ActuatorSecurity}: it shows to nobody what the
 * endpoint {@code ringkernels} would not.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("every-platform")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardSecurityTests {

	private static final String NOBODY = "";

	/** The page, all its parts, and a part that there is not. */
	static final List<String> PARTS = List.of("", "/dashboard.js", "/kernel.js", "/dashboard.css", "/events",
			"/secret");

	private final ConfigurableApplicationContext secured = run(SecuredApplication.class, ActuatorSecurity.class);

	@AfterAll
	void stop() {
		this.secured.close();
	}

	private static ConfigurableApplicationContext run(Class<?>... sources) {
		return new SpringApplication(sources).run("--server.port=0", "--ringkernel.backend=cpu",
				"--management.endpoint.ringkernels.access=unrestricted",
				"--management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard",
				"--management.endpoint.ringkernelsdashboard.interval=100ms");
	}

	@ParameterizedTest
	@FieldSource("PARTS")
	void strangersAreAskedWhoTheyAreAsTheEndpointDoes(String part) throws Exception {
		assertThat(status(NOBODY, "ringkernelsdashboard" + part)).isEqualTo(status(NOBODY, "ringkernels"))
			.isEqualTo(HttpStatus.UNAUTHORIZED.value());
	}

	@ParameterizedTest
	@FieldSource("PARTS")
	void usersWithoutTheRoleAreRefusedAsTheEndpointDoes(String part) throws Exception {
		assertThat(status(SecuredApplication.GUEST, "ringkernelsdashboard" + part))
			.isEqualTo(status(SecuredApplication.GUEST, "ringkernels"))
			.isEqualTo(HttpStatus.FORBIDDEN.value());
	}

	@Test
	void monitoringWatchesAndMayNotAct() throws Exception {
		assertThat(status(SecuredApplication.MONITORING, "ringkernelsdashboard")).isEqualTo(HttpStatus.OK.value());
		try (Stream<String> events = events(SecuredApplication.MONITORING)) {
			assertThat(nextEvent(events.iterator())).contains("\"echo\"", "ACTIVE");
		}
		assertThat(relaunch(SecuredApplication.MONITORING, "ringkernels/echo")).isEqualTo(HttpStatus.FORBIDDEN.value());
	}

	@Test
	void operatorsWatchAndAct() throws Exception {
		try (Stream<String> events = events(SecuredApplication.OPERATOR)) {
			assertThat(nextEvent(events.iterator())).contains("\"actions\":true");
		}
		assertThat(relaunch(SecuredApplication.OPERATOR, "ringkernels/echo")).isEqualTo(HttpStatus.OK.value());
	}

	/**
	 * The page itself takes no action, so that its rule need not be that of operators.
	 */
	@ParameterizedTest
	@FieldSource("PARTS")
	void nobodyActsByThePage(String part) throws Exception {
		assertThat(relaunch(SecuredApplication.OPERATOR, "ringkernelsdashboard" + part)).isBetween(400, 499);
	}

	/** The server comes back to a request when its stream ends, and asks again. */
	@Test
	void streamEndsWithoutAComplaintOfSpringSecurity(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext application = run(SecuredApplication.class, ActuatorSecurity.class);
				Stream<String> events = events(application, SecuredApplication.MONITORING)) {
			Iterator<String> lines = events.iterator();
			nextEvent(lines);
			application.close();
			lines.forEachRemaining((line) -> {
			});
		}
		assertThat(output).doesNotContain("Denied", "Unable to handle the Spring Security Exception");
	}

	@Test
	void isClosedToStrangersWithoutAFilterChainOfTheApplication() throws Exception {
		try (ConfigurableApplicationContext application = run(SecuredApplication.class)) {
			for (String part : PARTS) {
				assertThat(status(application, NOBODY, "ringkernelsdashboard" + part)).as(part)
					.isEqualTo(HttpStatus.UNAUTHORIZED.value());
			}
			assertThat(status(application, SecuredApplication.OPERATOR, "ringkernelsdashboard"))
				.isEqualTo(HttpStatus.OK.value());
		}
	}

	private int status(String user, String path) throws Exception {
		return status(this.secured, user, path);
	}

	private static int status(ApplicationContext application, String user, String path) throws Exception {
		HttpResponse<Stream<String>> response = send(request(application, user, path).GET());
		response.body().close();
		return response.statusCode();
	}

	private int relaunch(String user, String path) throws Exception {
		HttpResponse<Stream<String>> response = send(
				request(this.secured, user, path).header("Content-Type", "application/json")
					.POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"relaunch\"}")));
		response.body().close();
		return response.statusCode();
	}

	private Stream<String> events(String user) throws Exception {
		return events(this.secured, user);
	}

	private static Stream<String> events(ApplicationContext application, String user) throws Exception {
		return send(request(application, user, "ringkernelsdashboard/events")).body();
	}

	private static String nextEvent(Iterator<String> lines) {
		String line;
		do {
			line = lines.next();
		}
		while (!line.startsWith("data:"));
		return line;
	}

	private static HttpRequest.Builder request(ApplicationContext application, String user, String path) {
		URI address = URI.create("http://localhost:%s/actuator/%s"
			.formatted(application.getEnvironment().getProperty("local.server.port"), path));
		HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30));
		if (!user.equals(NOBODY)) {
			byte[] credentials = (user + ':' + user).getBytes(StandardCharsets.UTF_8);
			request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
		}
		return request;
	}

	private static HttpResponse<Stream<String>> send(HttpRequest.Builder request) throws Exception {
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofLines());
	}

}
