package io.ringkernel.spring.boot.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for properties that do not exist, and for all spellings of those that do.
 */
class UnknownPropertiesTests {

	private final ApplicationContextRunner contextRunner = StartupAnalysis.contextRunner()
		.withUserConfiguration(TwiceAndRepeat.class);

	@ParameterizedTest
	@CsvSource({ "ringkernel.backnd, ringkernel.backend", "ringkernel.timing-intervall, ringkernel.timing-interval",
			"ringkernel.default.workers, ringkernel.defaults.workers",
			"ringkernel.workers, ringkernel.defaults.workers",
			"ringkernel.requestTimeout, ringkernel.defaults.request-timeout",
			"ringkernel.defaults.wokers, ringkernel.defaults.workers",
			"ringkernel.kernels.twice.wokers, ringkernel.kernels.twice.workers",
			"ringkernel.kernels[repeat-text].requesttimeouts, ringkernel.kernels.repeat-text.request-timeout",
			"ringkernel.kernel.repeat-text.workers, ringkernel.kernels.repeat-text.workers" })
	void misspeltPropertyIsRefusedWithTheNearestOne(String misspelt, String meant) {
		FailureAnalysis analysis = analyze(misspelt, "1");
		assertThat(analysis.getDescription())
			.isEqualTo("There is no property '%s'. It is set in \"%s\" from property source \"written\"."
				.formatted(misspelt, misspelt));
		assertThat(analysis.getAction())
			.isEqualTo("Write '%s' in place of '%s', or remove it.".formatted(meant, misspelt));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ringkernel.kernels.☃.workers", "ringkernel.kernels..workers",
			"ringkernel.kernels.twice.workers.most", "ringkernel.kernels.workers", "ringkernel.defaults",
			"ringkernel.kernels.twice", "ringkernel.kernels.[].workers", "ringkernel" })
	void nameThatIsNoPropertyIsRefused(String name) {
		assertThat(analyze(name, "1").getDescription()).startsWith("There is no property '%s'. ".formatted(name));
	}

	@Test
	void everyUnknownPropertyIsNamedWithItsLine() throws Exception {
		PropertySource<?> yaml = new YamlPropertySourceLoader().load("application.yml", new ByteArrayResource("""
				ringkernel:
				  backnd: cpu
				  kernels:
				    twice:
				      wokers: 3
				""".getBytes(), "application.yml")).get(0);
		FailureAnalysis analysis = StartupAnalysis.of(this.contextRunner
			.withInitializer((context) -> context.getEnvironment().getPropertySources().addLast(yaml)));
		assertThat(analysis.getDescription().lines()).containsExactly(
				"There is no property 'ringkernel.backnd'. It is set in Byte array resource [application.yml] - 2:11.",
				"There is no property 'ringkernel.kernels.twice.wokers'. "
						+ "It is set in Byte array resource [application.yml] - 5:15.");
		assertThat(analysis.getAction().lines()).hasSize(2);
	}

	@ParameterizedTest
	@CsvSource({ "RINGKERNEL_BACKND, RINGKERNEL_BACKEND", "RINGKERNEL_WORKERS, RINGKERNEL_DEFAULTS_WORKERS",
			"RINGKERNEL_DEFAULTS_REQUEST_TIMOUT, RINGKERNEL_DEFAULTS_REQUESTTIMEOUT",
			"RINGKERNEL_KERNELS_TWICE_WOKERS, RINGKERNEL_KERNELS_TWICE_WORKERS",
			"RINGKERNEL_KERNELS_REPEAT_TEXT_WOKERS, RINGKERNEL_KERNELS_REPEAT_TEXT_WORKERS" })
	void misspeltVariableIsRefusedWithTheNearestOne(String misspelt, String meant) {
		FailureAnalysis analysis = analyzeVariable(misspelt);
		assertThat(analysis.getDescription()).isEqualTo(
				("There is no property '%s'. It is set in \"%s\" from property source " + "\"test-systemEnvironment\".")
					.formatted(misspelt, misspelt));
		assertThat(analysis.getAction()).startsWith("Write '%s' in place of ".formatted(meant));
	}

	@Test
	void variableOfAKernelThatDoesNotExistIsRefused() {
		FailureAnalysis analysis = analyzeVariable("RINGKERNEL_KERNELS_REPEAT_TEST_WORKERS");
		assertThat(analysis.getDescription())
			.startsWith("'RINGKERNEL_KERNELS_REPEAT_TEST' configures a ring kernel that does not exist.")
			.contains("It is set in \"RINGKERNEL_KERNELS_REPEAT_TEST_WORKERS\" from ");
		assertThat(analysis.getAction()).isEqualTo("Did you mean 'RINGKERNEL_KERNELS_REPEATTEXT'?");
	}

	@Test
	void variablesOfAServiceInKubernetesDoNotEndTheStart() {
		Map<String, Object> variables = new LinkedHashMap<>();
		for (String service : List.of("RINGKERNEL", "RINGKERNEL_SAMPLE")) {
			variables.put(service + "_SERVICE_HOST", "10.0.0.11");
			variables.put(service + "_SERVICE_PORT", "8080");
			variables.put(service + "_SERVICE_PORT_HTTP", "8080");
			variables.put(service + "_PORT", "tcp://10.0.0.11:8080");
			variables.put(service + "_PORT_8080_TCP", "tcp://10.0.0.11:8080");
			variables.put(service + "_PORT_8080_TCP_PROTO", "tcp");
			variables.put(service + "_PORT_8080_TCP_PORT", "8080");
			variables.put(service + "_PORT_8080_TCP_ADDR", "10.0.0.11");
		}
		withVariables(variables).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "ringkernel.defaults.request-timeout", "ringkernel.defaults.requestTimeout",
			"ringkernel.defaults.request_timeout", "ringkernel.defaults.REQUEST_TIMEOUT",
			"RINGKERNEL.defaults.requesttimeout", "ringkernel.kernels.repeat-text.request-timeout",
			"ringkernel.kernels.repeatText.requestTimeout", "ringkernel.kernels[repeat-text].request-timeout",
			"ringkernel.kernels.[repeat-text].request-timeout", "ringkernel.kernels.REPEAT_TEXT.request-timeout" })
	void everySpellingIsTaken(String name) {
		with(name, "7s").run((context) -> assertThat(timeoutIn(context)).isEqualTo("PT7S"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "RINGKERNEL_DEFAULTS_REQUESTTIMEOUT", "RINGKERNEL_DEFAULTS_REQUEST_TIMEOUT",
			"ringkernel_defaults_requesttimeout", "ringkernel.defaults.request-timeout",
			"RINGKERNEL_KERNELS_REPEATTEXT_REQUESTTIMEOUT", "RINGKERNEL_KERNELS_REPEATTEXT_REQUEST_TIMEOUT",
			"RINGKERNEL_KERNELS_REPEAT_TEXT_REQUESTTIMEOUT", "RINGKERNEL_KERNELS_REPEAT_TEXT_REQUEST_TIMEOUT" })
	void everySpellingOfAVariableIsTaken(String name) {
		withVariables(Map.of(name, "7s")).run((context) -> assertThat(timeoutIn(context)).isEqualTo("PT7S"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "RINGKERNEL_DEFAULTS_CONSUMERS_0", "RINGKERNEL_KERNELS_REPEATTEXT_CONSUMERS_0",
			"RINGKERNEL_KERNELS_REPEAT_TEXT_CONSUMERS_10", "RINGKERNEL_KERNELS_REPEAT_TEXT_DEVICES_0" })
	void variableOfAnElementIsTaken(String name) {
		withVariables(Map.of(name, "0")).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void variableOfAnElementOfWhatIsNoListIsRefused() {
		assertThat(analyzeVariable("RINGKERNEL_DEFAULTS_WORKERS_0").getDescription())
			.startsWith("There is no property 'RINGKERNEL_DEFAULTS_WORKERS_0'. ");
	}

	@Test
	void propertiesOfAnotherBeanAreLeftToIt() {
		with("ringkernel.greeting.text", "hello").withBean(Greeting.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void nothingIsLookedAtWhereKernelsAreDisabled() {
		with("ringkernel.backnd", "cpu").withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static String timeoutIn(
			org.springframework.boot.test.context.assertj.AssertableApplicationContext context) {
		return context.getBean("repeat-text.kernel", io.ringkernel.runtime.Kernel.class)
			.spec()
			.options()
			.requestTimeout()
			.toString();
	}

	private FailureAnalysis analyze(String name, String value) {
		return StartupAnalysis.of(with(name, value));
	}

	private FailureAnalysis analyzeVariable(String name) {
		return StartupAnalysis.of(withVariables(Map.of(name, "1")));
	}

	private ApplicationContextRunner with(String name, String value) {
		return StartupAnalysis.with(this.contextRunner, name, value);
	}

	private ApplicationContextRunner withVariables(Map<String, Object> variables) {
		return this.contextRunner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
	}

	@ConfigurationProperties("ringkernel.greeting")
	static class Greeting {

		private @Nullable String text;

		@Nullable String getText() {
			return this.text;
		}

		void setText(String text) {
			this.text = text;
		}

	}

}
