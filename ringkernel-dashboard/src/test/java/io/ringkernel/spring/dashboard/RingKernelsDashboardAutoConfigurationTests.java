package io.ringkernel.spring.dashboard;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RingKernelsDashboardAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class RingKernelsDashboardAutoConfigurationTests {

	private static final String EXPOSURE = "management.endpoints.web.exposure";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withUserConfiguration(DashboardApplication.class)
		.withPropertyValues("ringkernel.backend=cpu");

	@Test
	void isThereIfBothEndpointsAreExposed() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=ringkernels,ringkernelsdashboard")
			.run((context) -> assertThat(context).hasSingleBean(RingKernelsDashboardEndpoint.class));
	}

	static List<String> without() {
		return List.of("management.endpoints.web.exposure.include=ringkernels",
				"management.endpoints.web.exposure.include=ringkernelsdashboard",
				"management.endpoint.ringkernels.access=NONE", "management.endpoint.ringkernelsdashboard.access=NONE",
				"ringkernel.enabled=false");
	}

	@ParameterizedTest
	@MethodSource("without")
	void isNotThereWithoutTheEndpointThatItReads(String property) {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=*", property)
			.run((context) -> assertThat(context).doesNotHaveBean(RingKernelsDashboardEndpoint.class)
				.doesNotHaveBean(DashboardStreams.class));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					max-clients=0   | management.endpoint.ringkernelsdashboard.max-clients = 0 is out of range. Set it to a value from 1 to 64.
					max-clients=65  | management.endpoint.ringkernelsdashboard.max-clients = 65 is out of range. Set it to a value from 1 to 64.
					interval=99ms   | management.endpoint.ringkernelsdashboard.interval = 99ms is out of range. Set it to a duration from 100ms to 10s.
					interval=11s    | management.endpoint.ringkernelsdashboard.interval = 11s is out of range. Set it to a duration from 100ms to 10s.
					""")
	void refusesWhatIsOutOfRange(String property, String message) {
		this.runner
			.withPropertyValues("management.endpoints.web.exposure.include=*",
					"management.endpoint.ringkernelsdashboard." + property)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause().hasMessage(message));
	}

	@ParameterizedTest
	@ValueSource(strings = { "dashboard.html", "dashboard.js", "dashboard.css", "history-chart.js" })
	void aNativeImageHasTheFilesOfThePage(String file) {
		RuntimeHints hints = new RuntimeHints();
		new RingKernelsDashboardAutoConfiguration.Page().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.resource().forResource("/io/ringkernel/spring/dashboard/" + file))
			.accepts(hints);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			-           | health       | health,ringkernels,ringkernelsdashboard
			info        | info         | info,ringkernels,ringkernelsdashboard
			ringkernels | ringkernels  | ringkernels,ringkernelsdashboard
			""")
	void logsWhatToExpose(@Nullable String include, String shown, String needed, CapturedOutput output) {
		this.runner
			.withPropertyValues((include != null) ? new String[] { EXPOSURE + ".include=" + include } : new String[0])
			.run((context) -> assertThat(output)
				.contains("The dashboard of ring kernels is not served: it needs the endpoints ringkernels and "
						+ "ringkernelsdashboard, and " + EXPOSURE + ".include is " + shown + ". Set " + EXPOSURE
						+ ".include=" + needed + " to serve it."));
	}

	@Test
	void logsWhatNotToExclude(CapturedOutput output) {
		this.runner.withPropertyValues(EXPOSURE + ".include=*", EXPOSURE + ".exclude=env,ringkernels")
			.run((context) -> assertThat(output).contains("The dashboard of ring kernels is not served: it needs the "
					+ "endpoints ringkernels and ringkernelsdashboard. Remove them from " + EXPOSURE
					+ ".exclude = env,ringkernels to serve it."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.endpoints.web.exposure.include=*",
			"management.endpoint.ringkernelsdashboard.access=none", "management.endpoint.ringkernels.access=none",
			"ringkernel.enabled=false" })
	void logsNothingIfItIsServedOrTurnedOff(String property, CapturedOutput output) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(output).doesNotContain("dashboard of ring"));
	}

}
