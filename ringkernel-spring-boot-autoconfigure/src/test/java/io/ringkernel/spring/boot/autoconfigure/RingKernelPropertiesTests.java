package io.ringkernel.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.Compile;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.OnLoss;
import io.ringkernel.runtime.Replication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RingKernelProperties} and {@link PropertiesKernelSettings}.
 */
class RingKernelPropertiesTests {

	private final Map<String, Object> values = new LinkedHashMap<>();

	private final Map<String, Object> variables = new LinkedHashMap<>();

	@Test
	void everythingIsLeftToThePlatformByDefault() {
		assertThat(properties().enabled()).isTrue();
		assertThat(properties().planRequest()).isEqualTo(PlanRequest.AUTO);
		assertThat(optionsOf("any")).isEqualTo(KernelOptions.DEFAULTS);
		assertThat(settings().replicationOf("any")).isEqualTo(Replication.NONE);
	}

	@Test
	void platformIsAskedForWhatIsSet() {
		this.values.put("ringkernel.backend", "cuda");
		this.values.put("ringkernel.mode", "event-driven");
		this.values.put("ringkernel.transport", "bridged");
		assertThat(properties().planRequest())
			.isEqualTo(new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.BRIDGED));
	}

	@Test
	void everySettingOfAKernelIsMapped() {
		setAll("ringkernel.kernels.vector-add.");
		assertThat(optionsOf("vector-add")).isEqualTo(allSet());
		assertThat(settings().replicationOf("vector-add")).isEqualTo(new Replication(4, List.of(2, 0), OnLoss.MOVE));
		assertThat(settings().routingOf("vector-add")).isEqualTo("by-card");
		assertThat(settings().consumersOf("vector-add")).containsExactly("orders", "refunds");
		assertThat(settings().consumersOf("other")).isEmpty();
		assertThat(settings().routingOf("other")).isEqualTo("least-loaded");
		assertThat(optionsOf("other")).isEqualTo(KernelOptions.DEFAULTS);
	}

	@Test
	void everyDefaultIsMapped() {
		setAll("ringkernel.defaults.");
		assertThat(optionsOf("any")).isEqualTo(allSet());
		assertThat(settings().replicationOf("any")).isEqualTo(new Replication(4, List.of(2, 0), OnLoss.MOVE));
		assertThat(settings().routingOf("any")).isEqualTo("by-card");
		assertThat(settings().consumersOf("any")).containsExactly("orders", "refunds");
	}

	@Test
	void devicesAreAListOrAll() {
		this.values.put("ringkernel.kernels.first.devices", "all");
		this.values.put("ringkernel.kernels.second.devices[0]", "1");
		this.values.put("ringkernel.kernels.second.devices[1]", "3");
		assertThat(settings().replicationOf("first"))
			.isEqualTo(new Replication(Replication.ONE_PER_DEVICE, Replication.ALL));
		assertThat(settings().replicationOf("second"))
			.isEqualTo(new Replication(Replication.ONE_PER_DEVICE, List.of(1, 3)));
	}

	@Test
	void aListOfDevicesThatIsNoneIsRefused() {
		this.values.put("ringkernel.kernels.first.devices", "0,some");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> settings().replicationOf("first"))
			.withMessage("ringkernel.kernels.first.devices = 0,some is no list of devices. "
					+ "Set it to 'all', or to numbers of devices, such as 0,1.");
	}

	@Test
	void aCountOfReplicasOutOfRangeIsRefused() {
		this.values.put("ringkernel.defaults.replicas", "1025");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> settings().replicationOf("first"))
			.withMessage("ringkernel.defaults.replicas = 1025 is out of range. "
					+ "Set it to a value from 1 to 1024, or to 0 for one on each device.");
	}

	@Test
	void settingOfTheKernelWinsOverTheDefault() {
		this.values.put("ringkernel.defaults.workers", 4);
		this.values.put("ringkernel.defaults.request-timeout", "2s");
		this.values.put("ringkernel.kernels.vector-add.workers", 8);
		assertThat(optionsOf("vector-add"))
			.isEqualTo(KernelOptions.builder().workers(8).requestTimeout(Duration.ofSeconds(2)).build());
	}

	@Test
	void imageOfTheKernelWinsOverTheAnnotationWhichWinsOverTheDefault() {
		assertThat(settings().imageOf("vector-add", "")).isEmpty();
		this.values.put("ringkernel.defaults.image", "classpath:all.ptx");
		assertThat(settings().imageOf("vector-add", "")).isEqualTo("classpath:all.ptx");
		assertThat(settings().imageOf("vector-add", "classpath:add.ptx")).isEqualTo("classpath:add.ptx");
		this.values.put("ringkernel.kernels.vector-add.image", "file:/opt/add.ptx");
		assertThat(settings().imageOf("vector-add", "classpath:add.ptx")).isEqualTo("file:/opt/add.ptx");
		assertThat(settings().imageOf("other", "classpath:other.ptx")).isEqualTo("classpath:other.ptx");
		this.variables.put("RINGKERNEL_KERNELS_VECTORADD_IMAGE", "file:/opt/other.ptx");
		assertThat(settings().imageOf("vector-add", "")).isEqualTo("file:/opt/other.ptx");
	}

	@Test
	void emptyImageOfAKernelTakesItsImageAway() {
		this.values.put("ringkernel.defaults.image", "classpath:all.ptx");
		this.values.put("ringkernel.kernels.vector-add.image", "");
		assertThat(settings().imageOf("vector-add", "classpath:add.ptx")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "RINGKERNEL_KERNELS_VECTORADD_REQUESTTIMEOUT", "RINGKERNEL_KERNELS_VECTORADD_REQUEST_TIMEOUT",
			"RINGKERNEL_KERNELS_VECTOR_ADD_REQUESTTIMEOUT", "RINGKERNEL_KERNELS_VECTOR_ADD_REQUEST_TIMEOUT" })
	void everyVariableOfAKernelWinsHoweverAFileSpellsItsId(String variable) {
		this.variables.put(variable, "7s");
		assertThat(optionsOf("vector-add").requestTimeout()).isEqualTo(Duration.ofSeconds(7));
		for (String id : List.of("vector-add", "vectoradd", "vectorAdd", "vector_add", "[vector-add]")) {
			this.values.clear();
			this.values.put("ringkernel.kernels." + id + ".request-timeout", "1s");
			this.values.put("ringkernel.kernels." + id + ".workers", "3");
			assertThat(optionsOf("vector-add")).as(id)
				.isEqualTo(KernelOptions.builder().workers(3).requestTimeout(Duration.ofSeconds(7)).build());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "vector-add", "vectoradd", "vectorAdd", "vector_add", "[vector-add]" })
	void aListIsReadHoweverItsKernelIsSpelled(String id) {
		String prefix = "ringkernel.kernels." + id + ".";
		this.values.put("ringkernel.defaults.devices", "7");
		this.values.put(prefix + "devices[0]", "2");
		this.values.put(prefix + "devices[1]", "0");
		this.values.put(prefix + "consumers[0]", "orders");
		this.values.put(prefix + "consumers[1]", "refunds");
		assertThat(settings().replicationOf("vector-add").devices()).containsExactly(2, 0);
		assertThat(settings().consumersOf("vector-add")).containsExactly("orders", "refunds");
		assertThat(settings().nameOf("vector-add", "devices")).isEqualTo("ringkernel.kernels.vector-add.devices");
	}

	@ParameterizedTest
	@ValueSource(strings = { "KERNELS_VECTORADD_", "KERNELS_VECTOR_ADD_", "DEFAULTS_" })
	void aListIsReadFromAVariableForEachElement(String prefix) {
		this.variables.put("RINGKERNEL_" + prefix + "DEVICES_0", "2");
		this.variables.put("RINGKERNEL_" + prefix + "DEVICES_1", "0");
		this.variables.put("RINGKERNEL_" + prefix + "CONSUMERS_0", "orders");
		assertThat(settings().replicationOf("vector-add").devices()).containsExactly(2, 0);
		assertThat(settings().consumersOf("vector-add")).containsExactly("orders");
	}

	@Test
	void variableOfAKernelIsNotThatOfAnother() {
		this.variables.put("RINGKERNEL_KERNELS_VECTOR_ADD_WORKERS", "7");
		assertThat(optionsOf("vector")).isEqualTo(KernelOptions.DEFAULTS);
		assertThat(optionsOf("add")).isEqualTo(KernelOptions.DEFAULTS);
	}

	@Test
	void settingOutsideItsRangeIsNamedAsTheOneThatIsSet() {
		this.values.put("ringkernel.defaults.ring-memory", "1B");
		assertThat(settings().nameOf("vector-add", "ring-memory")).isEqualTo("ringkernel.defaults.ring-memory");
		this.variables.put("RINGKERNEL_KERNELS_VECTOR_ADD_RING_MEMORY", "2B");
		assertThat(settings().nameOf("vector-add", "ring-memory"))
			.isEqualTo("ringkernel.kernels.vector-add.ring-memory");
	}

	@Test
	void valueOutOfRangeIsNamedAsTheKernelsProperty() {
		this.values.put("ringkernel.kernels.vector-add.threads-per-worker", 33);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> optionsOf("vector-add"))
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("ringkernel.kernels.vector-add.threads-per-worker"))
			.satisfies((ex) -> assertThat(ex.value()).isEqualTo("33"));
	}

	@Test
	void valueOutOfRangeIsNamedAsTheDefault() {
		this.values.put("ringkernel.defaults.threads-per-worker", 33);
		this.values.put("ringkernel.kernels.vector-add.workers", 1);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> optionsOf("vector-add"))
			.satisfies((ex) -> assertThat(ex.setting()).isEqualTo("ringkernel.defaults.threads-per-worker"));
	}

	@Test
	void metadataDescribesEveryProperty() throws IOException {
		Map<String, Map<String, Object>> metadata = metadata();
		assertThat(metadata).containsKeys("ringkernel.enabled", "ringkernel.backend", "ringkernel.mode",
				"ringkernel.transport", "ringkernel.kernels", "management.endpoint.ringkernels.access",
				"management.health.ringkernel.enabled");
		setAll("ringkernel.defaults.");
		assertThat(metadata).containsKeys(this.values.keySet().toArray(String[]::new));
		assertThat(metadata)
			.allSatisfy((name, property) -> assertThat((String) property.get("description")).as(name).endsWith("."));
	}

	@Test
	void metadataHasTheDefaultsThatApply() throws IOException {
		metadata().forEach((name, property) -> {
			if (name.startsWith("ringkernel.") && !name.equals("ringkernel.kernels") && !name.endsWith(".image")
					&& !name.equals("ringkernel.defaults.devices") && !name.equals("ringkernel.host.directory")
					&& !name.equals("ringkernel.defaults.snapshot-directory")
					&& !name.equals("ringkernel.defaults.consumers")) {
				assertThat(property).as(name).containsKey("defaultValue");
				this.values.put(name, property.get("defaultValue"));
			}
		});
		assertThat(properties().planRequest()).isEqualTo(PlanRequest.AUTO);
		assertThat(optionsOf("any")).isEqualTo(KernelOptions.DEFAULTS);
	}

	private void setAll(String prefix) {
		this.values.put(prefix + "workers", "3");
		this.values.put(prefix + "threads-per-worker", "64");
		this.values.put(prefix + "ring-memory", "2MB");
		this.values.put(prefix + "state-memory", "3GB");
		this.values.put(prefix + "request-timeout", "7s");
		this.values.put(prefix + "backpressure", "reject");
		this.values.put(prefix + "wait-strategy", "busy-spin");
		this.values.put(prefix + "idle-budget", "300us");
		this.values.put(prefix + "stop-timeout", "8s");
		this.values.put(prefix + "drain-timeout", "0s");
		this.values.put(prefix + "interrupt-on-timeout", "false");
		this.values.put(prefix + "replicas", "4");
		this.values.put(prefix + "devices", "2,0");
		this.values.put(prefix + "routing", "by-card");
		this.values.put(prefix + "on-loss", "move");
		this.values.put(prefix + "consumers", "orders,refunds");
		this.values.put(prefix + "compile", "off");
		this.values.put(prefix + "replay", "idempotent");
		this.values.put(prefix + "snapshot-directory", "/var/lib/state");
		this.values.put(prefix + "snapshot-every", "10s");
		this.values.put(prefix + "snapshot-on-shutdown", "false");
	}

	private static KernelOptions allSet() {
		return new KernelOptions(3, 64, 2 << 20, 3L << 30, Duration.ofSeconds(7), Backpressure.REJECT,
				WaitStrategy.BUSY_SPIN, Duration.ofNanos(300_000), Duration.ofSeconds(8), Duration.ZERO, false,
				KernelOptions.DEVICE_OF_RUNTIME, Compile.OFF, Replay.IDEMPOTENT,
				new Snapshots(Path.of("/var/lib/state"), Duration.ofSeconds(10), false));
	}

	private RingKernelProperties properties() {
		return Binder.get(environment()).bindOrCreate("ringkernel", RingKernelProperties.class);
	}

	private StandardEnvironment environment() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("file", this.values));
		environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("variables-systemEnvironment", this.variables));
		ConfigurationPropertySources.attach(environment);
		return environment;
	}

	private PropertiesKernelSettings settings() {
		return new PropertiesKernelSettings(properties(), environment(), List.of(), List.of());
	}

	private KernelOptions optionsOf(String kernelId) {
		return settings().optionsOf(kernelId);
	}

	private static Map<String, Map<String, Object>> metadata() throws IOException {
		URI classes = URI
			.create(RingKernelProperties.class.getProtectionDomain().getCodeSource().getLocation().toString());
		Map<String, Map<String, Object>> properties = new LinkedHashMap<>();
		try (InputStream json = classes.resolve("META-INF/spring-configuration-metadata.json").toURL().openStream()) {
			JsonPath.parse(json)
				.<Iterable<Map<String, Object>>>read("$.properties")
				.forEach((property) -> properties.put((String) property.get("name"), property));
		}
		return properties;
	}

}
