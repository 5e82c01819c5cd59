package io.ringkernel.spring.dashboard;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.dashboard.DashboardApplication.Number;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the dashboard over HTTP.
 */
@SpringBootTest(classes = DashboardApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard",
				"management.endpoint.ringkernelsdashboard.max-clients=2",
				"management.endpoint.ringkernelsdashboard.interval=100ms", "ringkernel.backend=cpu",
				"ringkernel.timing-interval=1" })
@Tag("every-platform")
class RingKernelsDashboardEndpointTests {

	@Autowired
	private RingKernelClient<Number, Number> twice;

	@Autowired
	private Kernel<Number, Number> kernel;

	@Autowired
	private DashboardStreams streams;

	private String dashboard;

	@BeforeEach
	void awaitNoStream(@LocalServerPort int port) {
		this.dashboard = "http://localhost:%d/actuator/ringkernelsdashboard".formatted(port);
		Awaitility.await().untilAsserted(() -> assertThat(this.streams.size()).isZero());
	}

	@ParameterizedTest
	@CsvSource({ "'', text/html, <!DOCTYPE html>", "/dashboard.js, text/javascript, class Live",
			"/dashboard.css, text/css, .ringkernels", "/history-chart.js, text/javascript, class HistoryChart" })
	void servesThePage(String part, String type, String text) throws Exception {
		HttpResponse<String> response = get(this.dashboard + part);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("Content-Type").orElseThrow()).isEqualTo(type + ";charset=UTF-8");
		assertThat(response.body()).contains(text);
	}

	@Test
	void namesItsPartsRelativeToThePage() throws Exception {
		assertThat(get(this.dashboard).body()).contains("href=\"ringkernelsdashboard/dashboard.css\"")
			.contains("src=\"ringkernelsdashboard/dashboard.js\"");
	}

	@Test
	void pageIsInNoFrameOfAnotherOrigin() throws Exception {
		assertThat(get(this.dashboard).headers().allValues("Content-Security-Policy"))
			.containsExactly("frame-ancestors 'self'");
	}

	/** Everything that another part imports, from where it imports it. */
	@Test
	void servesWhatItsPartsImport() throws Exception {
		Set<String> parts = new LinkedHashSet<>(Set.of("dashboard.js", "dashboard.css"));
		Deque<String> unread = new ArrayDeque<>(parts);
		while (!unread.isEmpty()) {
			HttpResponse<String> part = get(this.dashboard + "/" + unread.remove());
			assertThat(part.statusCode()).as(part.uri().getPath()).isEqualTo(200);
			Pattern.compile("(?:from|@import) \"(?:\\./)?(.*)\";")
				.matcher(part.body())
				.results()
				.map((found) -> found.group(1))
				.filter(parts::add)
				.forEach(unread::add);
		}
		assertThat(parts).hasSizeGreaterThan(5);
		assertThat(RingKernelsDashboardEndpoint.files()).containsExactlyInAnyOrder(
				Stream.concat(Stream.of("dashboard.html"), parts.stream()).toArray(String[]::new));
	}

	@ParameterizedTest
	@ValueSource(strings = { "secret", "dashboard.html", "RingKernelsDashboardEndpoint.class" })
	void knowsNoOtherPart(String part) throws Exception {
		HttpResponse<String> response = get(this.dashboard + "/" + part);
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(response.body()).contains("The dashboard has no such part.");
	}

	@Test
	void streamsWhatTheEndpointShows() throws Exception {
		this.twice.call(new Number(1));
		try (EventStream events = EventStream.open(this.dashboard)) {
			JsonNode status = events.next();
			assertThat(status.at("/kernels/twice/state").asString()).isEqualTo("ACTIVE");
			assertThat(status.at("/kernels/twice/reasons/0").asString()).isEqualTo("backend 'cpu' was asked for");
			assertThat(status.at("/actions").asBoolean(true)).isFalse();
			long before = status.at("/kernels/twice/processed").asLong();
			this.twice.call(new Number(2));
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(events.next().at("/kernels/twice/processed").asLong()).isEqualTo(before + 1));
		}
	}

	@Test
	void showsTheApplication() throws Exception {
		try (EventStream events = EventStream.open(this.dashboard)) {
			JsonNode application = events.next().at("/application");
			assertThat(application.at("/pid").asLong()).isEqualTo(ProcessHandle.current().pid());
			assertThat(application.at("/uptimeMillis").asLong()).isBetween(0L, Duration.ofHours(1).toMillis());
			assertThat(application.at("/cpuUsage").asDouble(-1)).isBetween(0.0, 1.0);
			assertThat(application.at("/heapUsedBytes").asDouble()).isBetween(1.0,
					application.at("/heapMaxBytes").asDouble());
		}
	}

	@Test
	void aStreamBeginsWithTheHistoryAndGoesOnWithWhatIsNew() throws Exception {
		try (EventStream events = EventStream.open(this.dashboard)) {
			JsonNode history = events.next().at("/history");
			assertThat(history.at("/spanMillis").asLong()).isEqualTo(Duration.ofMinutes(15).toMillis());
			assertThat(history.at("/events/0/title").asString()).isEqualTo("application started");
			assertThat(history.at("/events/1/text").asString()).isEqualTo("twice is ACTIVE");
			assertThat(events.next().at("/history/events").size()).isZero();
			Awaitility.await()
				.untilAsserted(() -> assertThat(events.next().at("/history/kernels/twice").size()).isPositive());
		}
		try (EventStream later = EventStream.open(this.dashboard)) {
			JsonNode history = later.next().at("/history");
			assertThat(history.at("/events/0/title").asString()).isEqualTo("application started");
			assertThat(history.at("/kernels/twice").size()).isPositive();
		}
	}

	@Test
	void showsSlotsAndBuckets() throws Exception {
		CompletableFuture<Number> held = this.twice.submit(new Number(DashboardApplication.HELD)).toCompletableFuture();
		try (EventStream events = EventStream.open(this.dashboard)) {
			JsonNode ring = events.next().at("/near/twice/rings/twice");
			assertThat(ring.at("/slots").asString()).hasSize(this.kernel.status().slots()).containsOnlyOnce("R");
			DashboardApplication.GATE.release();
			held.get(10, TimeUnit.SECONDS);
			Awaitility.await().untilAsserted(() -> {
				JsonNode buckets = events.next().at("/near/twice/buckets");
				assertThat(buckets.valueStream().mapToLong((bucket) -> bucket.at("/count").asLong()).sum())
					.isEqualTo(this.kernel.timings().total().count())
					.isPositive();
				JsonNode slowest = buckets.get(buckets.size() - 1);
				assertThat(this.kernel.timings().total().max()).isBetween(slowest.at("/from").asLong(),
						slowest.at("/below").asLong());
			});
		}
	}

	@Test
	void refusesMoreClientsThanThereMayBe() throws Exception {
		try (EventStream first = EventStream.open(this.dashboard);
				EventStream second = EventStream.open(this.dashboard);
				EventStream third = EventStream.open(this.dashboard)) {
			assertThat(first.status()).isEqualTo(200);
			assertThat(second.status()).isEqualTo(200);
			assertThat(third.status()).isEqualTo(503);
			assertThat(third.next().at("/detail").asString())
				.isEqualTo("As many dashboards are open as may be, 2, or the application stops. "
						+ "Close one, or raise management.endpoint.ringkernelsdashboard.max-clients.");
		}
		awaitPlace();
	}

	/** A client that has gone is noticed when something is written to it. */
	private void awaitPlace() throws Exception {
		Awaitility.await().untilAsserted(() -> assertThat(this.streams.size()).isZero());
		try (EventStream next = EventStream.open(this.dashboard)) {
			assertThat(next.status()).isEqualTo(200);
		}
	}

	@Test
	void endsItsStreamsBeforeTheServerWaitsForThem() throws Exception {
		ConfigurableApplicationContext application = run();
		EventStream events = EventStream.open(dashboard(application, "actuator/ringkernelsdashboard"));
		events.next();
		long start = System.nanoTime();
		application.close();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
		events.drain();
	}

	@Test
	void aClientThatDoesNotReadDoesNotHoldUpTheEnd() throws Exception {
		ConfigurableApplicationContext application = run(SmallBuffers.class,
				"--spring.lifecycle.timeout-per-shutdown-phase=100ms",
				"--management.endpoint.ringkernelsdashboard.interval=100ms");
		int port = Integer.parseInt(application.getEnvironment().getRequiredProperty("local.server.port"));
		try (Socket deaf = new Socket()) {
			deaf.setReceiveBufferSize(SmallBuffers.BYTES);
			deaf.connect(new InetSocketAddress("localhost", port));
			deaf.getOutputStream()
				.write("GET /actuator/ringkernelsdashboard/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
					.getBytes(StandardCharsets.US_ASCII));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(Thread.getAllStackTraces()).anySatisfy((thread, stack) -> {
					assertThat(thread.getName()).matches("ringkernel-dashboard-\\d+");
					assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING);
					assertThat(stack).anyMatch((frame) -> frame.getClassName().contains("NioSocketWrapper"));
				}));
			long start = System.nanoTime();
			application.close();
			// Tomcat waits 5 s for a thread of its own that writes, and a minute for
			// others.
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
		}
		finally {
			application.close();
		}
	}

	/** So that a few events fill them. */
	@Configuration(proxyBeanMethods = false)
	static class SmallBuffers {

		static final int BYTES = 4096;

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> smallSendBuffer() {
			return (server) -> server.addConnectorCustomizers(
					(connector) -> connector.setProperty("socket.txBufSize", String.valueOf(BYTES)));
		}

	}

	@Test
	void doesNotDependOnTheJsonOfTheApplication() throws Exception {
		try (ConfigurableApplicationContext application = run(
				"--spring.jackson.property-naming-strategy=UPPER_CAMEL_CASE");
				EventStream events = EventStream.open(dashboard(application, "actuator/ringkernelsdashboard"))) {
			JsonNode history = events.next().at("/history");
			assertThat(history.at("/spanMillis").asLong()).isEqualTo(Duration.ofMinutes(15).toMillis());
			assertThat(history.at("/events/0/title").asString()).isEqualTo("application started");
		}
	}

	@Test
	void followsThePathsAndThePortOfManagement() throws Exception {
		try (ConfigurableApplicationContext application = run("--management.server.port=0",
				"--management.endpoints.web.base-path=/manage",
				"--management.endpoints.web.path-mapping.ringkernels=gpu/kernels",
				"--management.endpoints.web.path-mapping.ringkernelsdashboard=gpu/live/board",
				"--management.endpoint.ringkernels.access=unrestricted")) {
			String page = dashboard(application, "manage/gpu/live/board");
			assertThat(get(page).body()).contains("src=\"board/dashboard.js\"");
			assertThat(get(page + "/dashboard.js").statusCode()).isEqualTo(200);
			try (EventStream events = EventStream.open(page)) {
				JsonNode status = events.next();
				assertThat(status.at("/actions").asBoolean(false)).isTrue();
				URI kernels = URI.create(page + "/").resolve(status.at("/endpoint").asString());
				assertThat(kernels.getPath()).isEqualTo("/manage/gpu/kernels");
				assertThat(get(kernels + "/twice").body()).contains("ACTIVE");
			}
		}
	}

	@Test
	void showsTheRingOfEachReplica() throws Exception {
		try (ConfigurableApplicationContext application = run("--ringkernel.kernels.twice.replicas=2");
				EventStream events = EventStream.open(dashboard(application, "actuator/ringkernelsdashboard"))) {
			JsonNode status = events.next();
			assertThat(status.at("/near/twice/rings").propertyNames()).hasSize(2)
				.containsExactlyElementsOf(status.at("/kernels/twice/replicas").propertyNames());
		}
	}

	@Test
	void goesOnAfterAKernelHasNoRingAnyMore() throws Exception {
		try (ConfigurableApplicationContext application = run();
				EventStream events = EventStream.open(dashboard(application, "actuator/ringkernelsdashboard"))) {
			assertThat(events.next().at("/near/twice/rings").size()).isEqualTo(1);
			application.getBean(RingKernelRuntime.class).kernel("twice").orElseThrow().terminate();
			Awaitility.await().untilAsserted(() -> {
				JsonNode status = events.next();
				assertThat(status.at("/kernels/twice/state").asString()).isEqualTo("TERMINATED");
				assertThat(status.at("/near/twice/rings").size()).isZero();
			});
		}
	}

	private static ConfigurableApplicationContext run(String... arguments) {
		return run(DashboardApplication.class, arguments);
	}

	private static ConfigurableApplicationContext run(Class<?> more, String... arguments) {
		String[] all = Stream.concat(
				Stream.of("--server.port=0", "--server.shutdown=graceful", "--ringkernel.backend=cpu",
						"--management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard"),
				Stream.of(arguments))
			.toArray(String[]::new);
		return SpringApplication.run(new Class<?>[] { DashboardApplication.class, more }, all);
	}

	private static String dashboard(ConfigurableApplicationContext application, String path) {
		String port = application.getEnvironment()
			.getProperty("local.management.port", application.getEnvironment().getProperty("local.server.port"));
		return "http://localhost:%s/%s".formatted(port, path);
	}

	private static HttpResponse<String> get(String address) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(30)).build();
		return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
	}

}
