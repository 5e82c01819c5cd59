package io.ringkernel.sample.metrics;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.ringkernel.sample.metrics.Exposition.Sample;
import io.ringkernel.sampletest.SampleTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What Prometheus scrapes of the running application. The names are what dashboards and
 * alerts are written against.
 */
@SampleTest
class PrometheusTests {

	private static final Map<String, String> FAMILIES = Map.ofEntries(
			Map.entry("ringkernel_request_seconds", "histogram"), Map.entry("ringkernel_request_seconds_max", "gauge"),
			Map.entry("ringkernel_request_queued_seconds", "histogram"),
			Map.entry("ringkernel_request_queued_seconds_max", "gauge"),
			Map.entry("ringkernel_request_handling_seconds", "histogram"),
			Map.entry("ringkernel_request_handling_seconds_max", "gauge"),
			Map.entry("ringkernel_request_delivery_seconds", "histogram"),
			Map.entry("ringkernel_request_delivery_seconds_max", "gauge"),
			Map.entry("ringkernel_requests_processed_total", "counter"),
			Map.entry("ringkernel_requests_failed_total", "counter"),
			Map.entry("ringkernel_requests_timed_out_total", "counter"),
			Map.entry("ringkernel_requests_rejected_total", "counter"),
			Map.entry("ringkernel_requests_lost_total", "counter"),
			Map.entry("ringkernel_requests_replayed_total", "counter"),
			Map.entry("ringkernel_launches_total", "counter"), Map.entry("ringkernel_restarts_total", "counter"),
			Map.entry("ringkernel_active", "gauge"), Map.entry("ringkernel_stuck", "gauge"),
			Map.entry("ringkernel_requests_in_flight", "gauge"),
			Map.entry("ringkernel_requests_oldest_age_seconds", "gauge"), Map.entry("ringkernel_ring_slots", "gauge"),
			Map.entry("ringkernel_ring_occupancy_ratio", "gauge"), Map.entry("ringkernel_ring_memory_bytes", "gauge"),
			Map.entry("ringkernel_device_memory_bytes", "gauge"), Map.entry("ringkernel_workers_active", "gauge"),
			Map.entry("ringkernel_heartbeat_age_seconds", "gauge"));

	@Autowired
	private RestTestClient http;

	@Test
	void everyFamilyHasItsNameItsTypeAndADescription() {
		Exposition exposition = new Exposition(scrape());
		assertThat(exposition.types("ringkernel_")).containsExactlyInAnyOrderEntriesOf(FAMILIES);
		assertThat(FAMILIES.keySet()).allSatisfy((name) -> assertThat(exposition.help(name)).isNotBlank());
	}

	@Test
	void labelsAreKernelBackendAndMode() {
		List<Sample> samples = new Exposition(scrape()).samplesOf("ringkernel_");
		assertThat(samples).isNotEmpty().allSatisfy((sample) -> {
			assertThat(sample.labels()).containsEntry("backend", "cpu").containsEntry("mode", "persistent");
			assertThat(sample.labels().get("kernel")).isIn("vector-add", "nearest-neighbours");
			assertThat(sample.labels()).hasSize(sample.name().endsWith("_bucket") ? 4 : 3);
		});
	}

	@Test
	void countersCountWhatIsSentOverHttp() {
		double before = new Exposition(scrape()).value("ringkernel_requests_processed_total", "vector-add");
		add();
		add();
		Exposition after = new Exposition(scrape());
		assertThat(after.value("ringkernel_requests_processed_total", "vector-add")).isEqualTo(before + 2);
		assertThat(after.value("ringkernel_active", "vector-add")).isEqualTo(1);
		assertThat(after.value("ringkernel_requests_in_flight", "vector-add")).isZero();
		assertThat(after.value("ringkernel_ring_slots", "nearest-neighbours")).isEqualTo(64);
	}

	@Test
	void histogramsAreCumulativeAndHaveTheBucketsOfTheConfiguration() {
		// Enough for one of them to be timed.
		for (int i = 0; i < 32; i++) {
			add();
		}
		Exposition exposition = new Exposition(scrape());
		List<Sample> buckets = exposition.samples("ringkernel_request_seconds_bucket")
			.stream()
			.filter((sample) -> sample.labels().get("kernel").equals("vector-add"))
			.toList();
		assertThat(buckets).extracting((bucket) -> bound(bucket)).isSorted();
		assertThat(buckets).extracting(Sample::value).isSorted();
		assertThat(buckets).hasSize(15);
		assertThat(bound(buckets.get(0))).isEqualTo(2e-6);
		Sample last = buckets.get(buckets.size() - 1);
		assertThat(bound(last)).isInfinite();
		assertThat(last.value()).isEqualTo(exposition.value("ringkernel_request_seconds_count", "vector-add"))
			.isPositive();
		assertThat(exposition.value("ringkernel_request_seconds_sum", "vector-add")).isPositive();
	}

	private static double bound(Sample bucket) {
		String bound = bucket.labels().get("le");
		return bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound);
	}

	/**
	 * Needs {@code promtool}, which is part of Prometheus, in the path.
	 */
	@Test
	void promtoolFindsNoFault(@TempDir Path directory) throws Exception {
		assumeTrue(isInstalled("promtool"), "promtool is not installed");
		Path scraped = Files.writeString(directory.resolve("metrics.txt"), scrape());
		Path report = directory.resolve("report.txt");
		Process promtool = new ProcessBuilder("promtool", "check", "metrics").redirectInput(scraped.toFile())
			.redirectOutput(report.toFile())
			.redirectErrorStream(true)
			.start();
		assertThat(promtool.waitFor(30, TimeUnit.SECONDS)).isTrue();
		// 3: it parses, and there are remarks, such as on metrics of the web server.
		assertThat(promtool.exitValue()).isIn(0, 3);
		assertThat(Files.readString(report)).doesNotContain("ringkernel_");
	}

	private static boolean isInstalled(String program) {
		return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator)))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
	}

	private void add() {
		this.http.post()
			.uri("/api/vector-add")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"a\":[1,2,3],\"b\":[10,20,30]}")
			.exchange()
			.expectStatus()
			.isOk();
	}

	private String scrape() {
		byte[] body = this.http.get()
			.uri("/actuator/prometheus")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult()
			.getResponseBody();
		assertThat(body).isNotNull();
		return new String(body, StandardCharsets.UTF_8);
	}

}
