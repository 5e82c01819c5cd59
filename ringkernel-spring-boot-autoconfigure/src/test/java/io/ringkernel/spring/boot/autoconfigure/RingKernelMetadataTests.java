package io.ringkernel.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.platform.ConfiguredName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * What an editor knows of the properties: descriptions, types, defaults and values.
 */
class RingKernelMetadataTests {

	/**
	 * Where no default can be: kernels, their images and roles are the application's own,
	 * and the directory is that of the platform.
	 */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("ringkernel.defaults.devices", "ringkernel.kernels",
			"ringkernel.defaults.image", "ringkernel.defaults.consumers", "ringkernel.defaults.snapshot-directory",
			"ringkernel.host.directory", "management.endpoint.ringkernels.roles");

	private static final Map<String, Map<String, Object>> properties = new LinkedHashMap<>();

	private static final Map<String, List<Map<String, Object>>> hints = new LinkedHashMap<>();

	@BeforeAll
	static void read() throws IOException {
		URI classes = URI
			.create(RingKernelProperties.class.getProtectionDomain().getCodeSource().getLocation().toString());
		try (InputStream json = classes.resolve("META-INF/spring-configuration-metadata.json").toURL().openStream()) {
			DocumentContext metadata = JsonPath.parse(json);
			metadata.<List<Map<String, Object>>>read("$.properties")
				.forEach((property) -> properties.put((String) property.get("name"), property));
			metadata.<List<Map<String, Object>>>read("$.hints")
				.forEach((hint) -> hints.put((String) hint.get("name"), values(hint)));
		}
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> values(Map<String, Object> hint) {
		return (List<Map<String, Object>>) hint.get("values");
	}

	static Set<String> properties() {
		return properties.keySet();
	}

	static Set<String> hints() {
		return hints.keySet();
	}

	@Test
	void everySettingOfAKernelIsAKeyUnderDefaults() {
		Set<String> settings = new TreeSet<>();
		Arrays.stream(KernelOptions.class.getRecordComponents())
			.map((component) -> component.getName().replaceAll("([A-Z])", "-$1").toLowerCase())
			.forEach((name) -> settings.add("ringkernel.defaults." + name));
		// A replica has one of the devices of its kernel.
		settings.remove("ringkernel.defaults.device");
		settings.remove("ringkernel.defaults.snapshots");
		settings.addAll(Set.of("ringkernel.defaults.snapshot-directory", "ringkernel.defaults.snapshot-every",
				"ringkernel.defaults.snapshot-on-shutdown"));
		settings
			.addAll(Set.of("ringkernel.defaults.devices", "ringkernel.defaults.replicas", "ringkernel.defaults.routing",
					"ringkernel.defaults.on-loss", "ringkernel.defaults.consumers", "ringkernel.defaults.image"));
		assertThat(properties.keySet()).containsAll(settings)
			.filteredOn((name) -> name.startsWith("ringkernel.defaults."))
			.containsExactlyInAnyOrderElementsOf(settings);
	}

	@ParameterizedTest
	@MethodSource("properties")
	void everyKeyHasADescriptionThatIsASentenceAndAType(String name) {
		Map<String, Object> property = properties.get(name);
		assertThat((String) property.get("description")).matches("(?s)[A-Z].+\\.").doesNotContain("{@", "<");
		assertThat((String) property.get("type")).isNotBlank();
	}

	@ParameterizedTest
	@MethodSource("properties")
	void everyKeyHasADefaultWhereItShould(String name) {
		assertThat(properties.get(name).containsKey("defaultValue")).isEqualTo(!WITHOUT_DEFAULT.contains(name));
	}

	@ParameterizedTest
	@MethodSource("hints")
	void everyHintIsOfAKeyAndItsValuesBindAndAreDescribed(String name) {
		assertThat(properties).containsKey(name);
		assertThat(hints.get(name)).isNotEmpty().allSatisfy((hint) -> {
			assertThat((String) hint.get("description")).matches("[A-Z].+\\.");
			assertThatCode(() -> new PropertiesKernelSettings(bind(name, hint.get("value")), new StandardEnvironment(),
					List.of(), List.of())
				.optionsOf("any")).doesNotThrowAnyException();
		});
	}

	private static RingKernelProperties bind(String name, Object value) {
		return new Binder(new MapConfigurationPropertySource(Map.of(name, value))).bindOrCreate("ringkernel",
				RingKernelProperties.class);
	}

	@Test
	void everyConstantOfAnEnumIsHinted() {
		List<Map<String, Object>> enums = properties.values()
			.stream()
			.filter((property) -> typeOf(property).isEnum())
			.filter((property) -> ((String) property.get("name")).startsWith("ringkernel."))
			.toList();
		assertThat(enums).hasSize(10).allSatisfy((property) -> {
			List<String> constants = Stream.of(typeOf(property).getEnumConstants())
				.map((constant) -> ConfiguredName.of((Enum<?>) constant))
				.toList();
			assertThat(hints.get((String) property.get("name"))).extracting((hint) -> hint.get("value"))
				.containsExactlyInAnyOrderElementsOf(constants);
		});
	}

	private static Class<?> typeOf(Map<String, Object> property) {
		String type = ((String) property.get("type")).replaceAll("<.*", "");
		return ClassUtils.resolveClassName(type, RingKernelMetadataTests.class.getClassLoader());
	}

}
