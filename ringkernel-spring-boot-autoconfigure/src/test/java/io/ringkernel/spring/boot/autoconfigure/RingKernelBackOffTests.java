package io.ringkernel.spring.boot.autoconfigure;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.RingKernelClient;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.exchange.RingKernelExchange;
import io.ringkernel.spring.exchange.RingKernelProxyFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for class paths that lack what is optional.
 */
@Tag("every-platform")
class RingKernelBackOffTests {

	@ParameterizedTest
	@CsvSource({ "jcuda, jcuda.driver.JCudaDriver", "io.ringkernel.cuda, io.ringkernel.cuda.CudaBackendProvider",
			"org.springframework.web, org.springframework.web.context.WebApplicationContext",
			"reactor, reactor.core.publisher.Flux" })
	void conditionsNeedNothingThatIsOptional(String absent, String witness) {
		FilteredClassLoader filtered = new FilteredClassLoader(absent);
		assertThat(ClassUtils.isPresent(witness, getClass().getClassLoader())).isTrue();
		assertThat(ClassUtils.isPresent(witness, filtered)).isFalse();
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
			.withUserConfiguration(Twice.class)
			.withClassLoader(filtered)
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(RingKernelRuntime.class);
				assertThat(call(context.getBean("twice", RingKernelClient.class))).isEqualTo(new Number(42));
			});
	}

	@ParameterizedTest
	@CsvSource({ "jcuda,", "org.springframework.web,", "reactor,",
			"org.springframework.boot.actuate.endpoint, ringKernelsEndpoint",
			"org.springframework.boot.actuate.info, ringKernelInfoContributor",
			"org.springframework.boot.health.contributor, ringKernelHealthContributor",
			"org.springframework.messaging, ringKernelMessageConverter", "io.micrometer.core, ringKernelMetrics",
			"io.micrometer.context, ringKernelRequestContext",
			"io.micrometer.observation, ringKernelObservationPostProcessor" })
	void eachPartNeedsItsOwnLibraryAndNoOther(String absent, @Nullable String part) {
		List<String> parts = List.of("ringKernelsEndpoint", "ringKernelInfoContributor", "ringKernelHealthContributor",
				"ringKernelMetrics", "ringKernelObservationPostProcessor", "ringKernelRequestContext",
				"ringKernelMessageConverter");
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EveryPart.classes()))
			.withUserConfiguration(Twice.class)
			.withBean(SimpleMeterRegistry.class)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withPropertyValues("management.endpoints.web.exposure.include=*",
					"management.info.ringkernel.enabled=true", "ringkernel.functions=true")
			.withClassLoader(new FilteredClassLoader(absent))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(parts).filteredOn((name) -> !context.containsBean(name))
					.isEqualTo((part != null) ? List.of(part) : List.of());
				assertThat(call(context.getBean("twice", RingKernelClient.class))).isEqualTo(new Number(42));
			});
	}

	/**
	 * Filters hide classes from conditions alone; here they are really not there.
	 */
	@ParameterizedTest
	@CsvSource({ "jcuda, jcuda.driver.JCudaDriver", "spring-web, org.springframework.web.context.WebApplicationContext",
			"reactor-core, reactor.core.publisher.Flux", "reactive-streams, org.reactivestreams.Publisher" })
	void kernelsRunOnTheCpuWithoutTheLibrary(String absent, String witness) throws Exception {
		try (URLClassLoader classLoader = classPathWithout(absent)) {
			assertThat(ClassUtils.isPresent(witness, classLoader)).isFalse();
			Thread thread = Thread.currentThread();
			ClassLoader before = thread.getContextClassLoader();
			thread.setContextClassLoader(classLoader);
			try {
				Class<?> application = classLoader.loadClass(Application.class.getName());
				assertThat(application.getClassLoader()).isSameAs(classLoader);
				assertThat(application.getMethod("run").invoke(null)).isEqualTo("cpu 42 42");
			}
			finally {
				thread.setContextClassLoader(before);
			}
		}
	}

	private static URLClassLoader classPathWithout(String absent) {
		URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((entry) -> !entry.getFileName().toString().startsWith(absent))
			.map(RingKernelBackOffTests::url)
			.toArray(URL[]::new);
		return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
	}

	private static URL url(Path entry) {
		try {
			return entry.toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static Record call(RingKernelClient<?, ?> client) {
		return ((RingKernelClient<Number, Number>) client).call(new Number(21));
	}

	/**
	 * Runs in a class loader of its own.
	 */
	public static final class Application {

		private Application() {
		}

		public static String run() {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Twice.class,
					RingKernelAutoConfiguration.class)) {
				BackendKind backend = context.getBean("twice.kernel", Kernel.class).status().plan().backend();
				Number called = (Number) call(context.getBean("twice", RingKernelClient.class));
				Number declared = context.getBean(RingKernelProxyFactory.class)
					.create(Doubling.class)
					.twice(new Number(21));
				return "%s %d %d".formatted(backend.name().toLowerCase(Locale.ROOT), called.value(), declared.value());
			}
		}

	}

	@RingKernelExchange("twice")
	interface Doubling {

		Number twice(Number number);

	}

}
