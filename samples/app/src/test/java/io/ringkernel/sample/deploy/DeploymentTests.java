package io.ringkernel.sample.deploy;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.sampletest.SampleTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Holds what {@code deploy} says against the application that it deploys, with a kernel
 * host, whose meters some alerts watch.
 */
@SampleTest
@TestPropertySource(properties = { "ringkernel.backend=auto", "ringkernel.isolation=process" })
class DeploymentTests {

	private static final Path DEPLOY = Path.of("..", "..", "deploy");

	private static final Path RULES = DEPLOY.resolve("prometheus/ringkernel-alerts.yml");

	private static final Path RULES_TEST = DEPLOY.resolve("prometheus/ringkernel-alerts-test.yml");

	private static final Path DASHBOARD = DEPLOY.resolve("grafana/dashboards/ringkernel.json");

	private static final Pattern METRIC = Pattern.compile("\\bringkernel_[a-z_]+");

	/** The default of spring.lifecycle.timeout-per-shutdown-phase. */
	private static final Duration WEB_SERVER_DRAIN = Duration.ofSeconds(30);

	private static final JsonMapper JSON = new JsonMapper();

	@Autowired
	private RestTestClient http;

	static List<Path> yamlFiles() throws IOException {
		try (Stream<Path> files = Files.walk(DEPLOY)) {
			return files.filter((file) -> file.toString().matches(".*\\.ya?ml")).sorted().toList();
		}
	}

	@ParameterizedTest
	@MethodSource("yamlFiles")
	void everyYamlFileCanBeRead(Path file) throws IOException {
		assertThat(documents(file)).isNotEmpty().allMatch(JsonNode::isObject);
	}

	@Test
	void alertsAndDashboardNameMetricsThatTheSampleExposes() throws IOException {
		Set<String> scraped = METRIC.matcher(get("/actuator/prometheus"))
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(metrics(RULES)).hasSizeGreaterThan(5).isSubsetOf(scraped);
		assertThat(metrics(RULES_TEST)).isSubsetOf(scraped);
		assertThat(metrics(DASHBOARD)).hasSizeGreaterThan(15).isSubsetOf(scraped);
	}

	private static Set<String> metrics(Path file) throws IOException {
		return METRIC.matcher(Files.readString(file)).results().map(MatchResult::group).collect(Collectors.toSet());
	}

	@Test
	void everyAlertIsInTheRunbookAndSaysWhatIsWrong() throws IOException {
		String runbook = Files.readString(Path.of("..", "..", "docs", "operations.md"));
		List<JsonNode> rules = children(documents(RULES).get(0).at("/groups/0/rules"));
		assertThat(rules).hasSize(11).allSatisfy((rule) -> {
			assertThat(runbook).containsPattern("(?m)^### .*\\b" + rule.path("alert").asString() + "\\b");
			assertThat(rule.at("/annotations/summary").asString())
				.containsPattern("\\{\\{ \\$labels\\.(kernel|instance) }}");
			assertThat(rule.at("/labels/severity").asString()).isIn("warning", "critical");
		});
	}

	@Test
	void everyAlertHasATest() throws Exception {
		assertThat(Files.readString(RULES_TEST))
			.contains(children(documents(RULES).get(0).at("/groups/0/rules")).stream()
				.map((rule) -> "alertname: " + rule.path("alert").asString())
				.toList());
	}

	@Test
	void alertsRingWhenTheyShould(@TempDir Path directory) throws Exception {
		assumeTrue(isInstalled("promtool"), "promtool is not installed");
		Path output = directory.resolve("promtool.txt");
		Process promtool = new ProcessBuilder("promtool", "test", "rules", RULES_TEST.toString())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		assertThat(promtool.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(promtool.exitValue()).as(Files.readString(output)).isZero();
	}

	private static boolean isInstalled(String command) {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.anyMatch((folder) -> Files.isExecutable(Path.of(folder, command)));
	}

	@Test
	void dashboardAsksTheChosenDataSourceForTheChosenKernels() throws IOException {
		JsonNode dashboard = JSON.readTree(Files.readString(DASHBOARD));
		List<JsonNode> panels = children(dashboard.path("panels"));
		assertThat(panels).hasSizeGreaterThan(10)
			.extracting((panel) -> panel.path("id").asInt())
			.doesNotHaveDuplicates();
		assertThat(panels).allSatisfy((panel) -> {
			assertThat(panel.path("title").asString()).isNotBlank();
			assertThat(children(panel.path("targets"))).isNotEmpty().allSatisfy((target) -> {
				assertThat(target.at("/datasource/uid").asString()).isEqualTo("${datasource}");
				assertThat(target.path("expr").asString()).contains("kernel=~\"$kernel\"");
			});
		});
	}

	@Test
	void podHasAGpuAndProbesThatTheApplicationAnswers() throws IOException {
		JsonNode container = pod().at("/containers/0");
		assertThat(container.at("/resources/limits/nvidia.com~1gpu").asInt()).isEqualTo(1);
		for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
			assertThat(get(container.at("/%s/httpGet/path".formatted(probe)).asString())).contains("\"UP\"");
		}
	}

	@Test
	void podIsGivenLongerThanAShutdownTakes() throws IOException {
		Duration preStop = Duration.ofSeconds(pod().at("/containers/0/lifecycle/preStop/sleep/seconds").asInt());
		Duration longest = preStop.plus(WEB_SERVER_DRAIN)
			.plus(KernelOptions.DEFAULTS.drainTimeout())
			.plus(KernelOptions.DEFAULTS.stopTimeout());
		assertThat(preStop).isPositive();
		assertThat(Duration.ofSeconds(pod().path("terminationGracePeriodSeconds").asInt())).isGreaterThan(longest);
	}

	@Test
	void podAndImageAgreeOnTheUser() throws IOException {
		int user = pod().at("/securityContext/runAsUser").asInt();
		assertThat(Files.readString(Path.of("Dockerfile"))).contains("USER %d:".formatted(user));
	}

	@Test
	void podHasNoRightsThatItDoesNotNeed() throws IOException {
		assertThat(pod().path("automountServiceAccountToken").asBoolean(true)).isFalse();
		assertThat(pod().at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
		JsonNode context = pod().at("/containers/0/securityContext");
		assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
		assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
		assertThat(context.at("/capabilities/drop/0").asString()).isEqualTo("ALL");
		assertThat(pod().at("/containers/0/volumeMounts/0/mountPath").asString()).isEqualTo("/tmp");
	}

	@Test
	void actuatorHasAPortThatOnlyMonitoringReaches() throws IOException {
		Map<String, Integer> ports = new TreeMap<>();
		pod().at("/containers/0/ports")
			.forEach((port) -> ports.put(port.path("name").asString(), port.path("containerPort").asInt()));
		assertThat(ports).containsOnlyKeys("http", "management").containsEntry("management", managementPort());
		JsonNode service = kubernetes("Service");
		assertThat(children(service.at("/spec/ports"))).extracting((port) -> port.path("targetPort").asString())
			.containsExactly("http");
		JsonNode policy = kubernetes("NetworkPolicy").path("spec");
		assertThat(policy.at("/podSelector/matchLabels")).isEqualTo(service.at("/spec/selector"));
		assertThat(children(policy.path("ingress"))).hasSize(2).allSatisfy((rule) -> {
			boolean forEverybody = rule.path("from").isMissingNode();
			assertThat(rule.at("/ports/0/port").asString()).isEqualTo(forEverybody ? "http" : "management");
		});
		assertThat(Files.readString(DEPLOY.resolve("prometheus/prometheus.yml"))).contains("app:" + managementPort());
	}

	/**
	 * That of the image.
	 */
	private static int managementPort() throws IOException {
		Matcher port = Pattern.compile("ENV MANAGEMENT_SERVER_PORT=(\\d+)")
			.matcher(Files.readString(Path.of("Dockerfile")));
		assertThat(port.find()).isTrue();
		return Integer.parseInt(port.group(1));
	}

	@Test
	void nothingThatIsDeployedAllowsActions() throws IOException {
		for (Path file : yamlFiles()) {
			assertThat(Files.readString(file).toLowerCase(Locale.ROOT)).as(file.toString())
				.doesNotContain("unrestricted")
				.doesNotContain("profiles");
		}
	}

	@Test
	void compositionIsReachedFromThisMachineOnlyAndDemandsAPassword() throws IOException {
		JsonNode services = documents(DEPLOY.resolve("compose.yaml")).get(0).path("services");
		assertThat(children(services)).hasSize(3).allSatisfy((service) -> {
			assertThat(service.has("healthcheck")).isTrue();
			assertThat(children(service.path("ports"))).isNotEmpty()
				.allMatch((port) -> port.asString().startsWith("127.0.0.1:"));
		});
		assertThat(services.at("/grafana/environment/GF_SECURITY_ADMIN_PASSWORD").asString())
			.startsWith("${GRAFANA_PASSWORD:?");
		assertThat(services.at("/grafana/environment").has("GF_AUTH_ANONYMOUS_ENABLED")).isFalse();
	}

	private static JsonNode pod() throws IOException {
		return kubernetes("Deployment").at("/spec/template/spec");
	}

	private static JsonNode kubernetes(String kind) throws IOException {
		return documents(DEPLOY.resolve("kubernetes.yaml")).stream()
			.filter((document) -> document.path("kind").asString().equals(kind))
			.findFirst()
			.orElseThrow();
	}

	private static List<JsonNode> documents(Path yaml) throws IOException {
		List<JsonNode> documents = new ArrayList<>();
		for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(Files.readString(yaml))) {
			documents.add(JSON.valueToTree(document));
		}
		return documents;
	}

	private static List<JsonNode> children(JsonNode array) {
		List<JsonNode> children = new ArrayList<>();
		array.forEach(children::add);
		return children;
	}

	private String get(String path) {
		byte[] body = this.http.get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult()
			.getResponseBody();
		return new String(body, StandardCharsets.UTF_8);
	}

}
