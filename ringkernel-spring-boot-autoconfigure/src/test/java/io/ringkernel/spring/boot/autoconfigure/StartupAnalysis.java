package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application that does not start says, without the logging of one that is run.
 */
final class StartupAnalysis {

	private StartupAnalysis() {
	}

	static ApplicationContextRunner contextRunner() {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
				ConfiguredKernelsCheckAutoConfiguration.class));
	}

	/**
	 * With a property whose name no other way of setting one would take.
	 */
	static ApplicationContextRunner with(ApplicationContextRunner contextRunner, String name, String value) {
		return contextRunner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("written", Map.of(name, value))));
	}

	/**
	 * The analysis of the first analyzer that has one, as Spring Boot chooses it.
	 */
	static FailureAnalysis of(ApplicationContextRunner contextRunner) {
		AtomicReference<FailureAnalysis> found = new AtomicReference<>();
		AtomicReference<ConfigurableEnvironment> environment = new AtomicReference<>();
		contextRunner.withInitializer((context) -> environment.set(context.getEnvironment())).run((context) -> {
			assertThat(context).hasFailed();
			found.set(analyze(context.getStartupFailure(), environment.get()));
		});
		return found.get();
	}

	private static FailureAnalysis analyze(Throwable failure, ConfigurableEnvironment environment) {
		List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, environment), (type, name,
					cause) -> assertThat(name).doesNotStartWith("io.ringkernel.spring.boot.autoconfigure.Inv"));
		AnnotationAwareOrderComparator.sort(analyzers);
		return analyzers.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new AssertionError("No analyzer explains it", failure));
	}

}
