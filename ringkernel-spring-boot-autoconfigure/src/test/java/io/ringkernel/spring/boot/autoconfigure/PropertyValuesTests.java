package io.ringkernel.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.metrics.RingKernelMetricsAutoConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Generates values that no property takes, under every name that a property has, and
 * checks what the application says: the property, the value as it is written, the limit
 * and what to set, each of them once.
 */
@Tag("every-platform")
class PropertyValuesTests {

	/** Every setting with values that it does not take, and what the answer contains. */
	private static final List<Bad> BAD = List.of(
			new Bad("workers", List.of("0", "-1", "1025", "2147483647"), "1 to 1024"),
			new Bad("workers", List.of("many", "1.5", "99999999999", "4MB"), "whole number"),
			new Bad("threads-per-worker", List.of("31", "1056", "-32"), "32 to 1024"),
			new Bad("threads-per-worker", List.of("33", "1000"), "multiple of 32"),
			new Bad("ring-memory", List.of("-1B", "2GB", "1025MB"), "0B to 1GB"),
			new Bad("ring-memory", List.of("1B"), "at least 768 B"),
			new Bad("ring-memory", List.of("4 pages", "4MiB", "much"), "4MB"),
			new Bad("state-memory", List.of("-1B", "2TB"), "0B to 1TB"),
			new Bad("request-timeout", List.of("0", "0s", "-1", "-1ns", "366d"), "more than 0s and at most 365d"),
			new Bad("request-timeout", List.of("5 seconds", "soon", "PT", "1y"), "5s"),
			new Bad("stop-timeout", List.of("0ms", "-5s", "400d"), "more than 0s and at most 365d"),
			new Bad("idle-budget", List.of("-1us", "366d"), "0s to 365d, such as 200us"),
			new Bad("drain-timeout", List.of("-1s", "9000h"), "0s to 365d, such as 5s"),
			new Bad("backpressure", List.of("wait", "blocked"), "block, reject"),
			new Bad("wait-strategy", List.of("sleep"), "busy-spin, yield, back-off"),
			new Bad("compile", List.of("always"), "auto, required, off"),
			new Bad("replay", List.of("once"), "never, idempotent"), new Bad("on-loss", List.of("stay"), "fail, move"),
			new Bad("snapshot-every", List.of("-1s", "366d"), "0s to 365d"),
			new Bad("snapshot-every", List.of("hourly"), "5s"),
			new Bad("snapshot-on-shutdown", List.of("perhaps"), "true"),
			new Bad("interrupt-on-timeout", List.of("maybe"), "true"),
			new Bad("replicas", List.of("-1", "1025"), "1 to 1024, or to 0"),
			new Bad("replicas", List.of("two"), "whole number"),
			new Bad("devices", List.of("-1", "gpu0", "0,all", "99999"), "all"));

	private static final List<Bad> BAD_OF_ALL = List.of(new Bad("backend", List.of("gpu", "Cpu2"), "auto, cuda, cpu"),
			new Bad("mode", List.of("resident"), "auto, persistent, event-driven"),
			new Bad("transport", List.of("pcie", "managed"), "auto, mapped, bridged"),
			new Bad("isolation", List.of("thread"), "auto, none, process"),
			new Bad("device", List.of("-1", "70000"), "0 to"), new Bad("device", List.of("gpu"), "whole number"),
			new Bad("host.start-timeout", List.of("0s", "-1s", "400d"), "365d"),
			new Bad("host.start-timeout", List.of("soon"), "5s"),
			new Bad("host.silence-timeout", List.of("0s", "-1s", "499ms", "400d"), "500ms"),
			new Bad("host.on-stuck", List.of("wait"), "restart, ignore"),
			new Bad("host.stuck-after", List.of("0", "-1"), "4"),
			new Bad("host.stuck-after", List.of("2147483648"), "whole number"),
			new Bad("functions", List.of("perhaps"), "true"),
			new Bad("fail-on-unusable-image", List.of("perhaps"), "true"),
			new Bad("timing-interval", List.of("0", "-1", "1048577"), "1 to 1048576"),
			new Bad("timing-interval", List.of("seldom"), "whole number"),
			new Bad("enabled", List.of("yes", "on", "1", "off", "maybe"), "true"));

	private final ApplicationContextRunner contextRunner = StartupAnalysis.contextRunner()
		.withUserConfiguration(TwiceAndRepeat.class);

	static Stream<Arguments> badProperties() {
		List<Arguments> all = new ArrayList<>();
		for (Bad bad : BAD_OF_ALL) {
			bad.values.forEach((value) -> all.add(Arguments.of("ringkernel." + bad.setting, value, bad.limit)));
		}
		for (Bad bad : BAD) {
			for (String value : bad.values) {
				all.add(Arguments.of("ringkernel.defaults." + bad.setting, value, bad.limit));
				all.add(Arguments.of("ringkernel.kernels.repeat-text." + bad.setting, value, bad.limit));
			}
		}
		return all.stream();
	}

	@ParameterizedTest
	@MethodSource("badProperties")
	void badValueIsRefusedWithPropertyValueLimitAndRemedy(String name, String value, String limit) {
		assertExplains(StartupAnalysis.of(StartupAnalysis.with(this.contextRunner, name, value)), name, value, limit);
	}

	@ParameterizedTest
	@MethodSource("badProperties")
	void badValueOfAVariableIsRefusedAlike(String name, String value, String limit) {
		String variable = name.replace("-", "").replace('.', '_').toUpperCase();
		FailureAnalysis analysis = StartupAnalysis
			.of(this.contextRunner.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(variable, value)))));
		assertExplains(analysis, name, value, limit);
		assertThat(analysis.getDescription()).contains("\"%s\"".formatted(variable));
	}

	private static void assertExplains(FailureAnalysis analysis, String name, String value, String limit) {
		String all = analysis.getDescription() + " " + analysis.getAction();
		assertThat(analysis.getDescription()).matches("(?s)'" + name.replace("repeat-text", "repeat-?text")
				+ "' has the value '\\Q" + value + "\\E', which .+\\. It is set in .+\\.");
		assertThat(all).contains(limit).doesNotContainPattern("PT\\d").doesNotContain("java.");
		assertThat(all.split("(?<=\\.) ")).doesNotHaveDuplicates();
		assertThat(analysis.getAction()).startsWith("Set it to ").endsWith(".");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1ns", "499ns", "500ns", "1us" })
	void shortestTimeoutsStartWithHistograms(String timeout) {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(RingKernelMetricsAutoConfiguration.class,
					MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
			.withBean(SimpleMeterRegistry.class)
			.withPropertyValues("ringkernel.defaults.request-timeout=" + timeout,
					"management.metrics.distribution.percentiles-histogram.ringkernel=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(MeterRegistry.class).find("ringkernel.request").timers()).hasSize(2);
			});
	}

	@Test
	void kernelsOfAnInvalidIdAreRefusedWithoutAConverter() {
		for (String id : List.of("☃", "", "a b", "-")) {
			FailureAnalysis analysis = StartupAnalysis
				.of(StartupAnalysis.with(this.contextRunner, "ringkernel.kernels." + id + ".workers", "1"));
			assertThat(analysis.getDescription())
				.startsWith("There is no property 'ringkernel.kernels.%s.workers'. ".formatted(id));
		}
	}

	private record Bad(String setting, List<String> values, String limit) {
	}

}
