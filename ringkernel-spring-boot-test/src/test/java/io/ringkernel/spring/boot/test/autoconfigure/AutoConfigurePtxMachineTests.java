package io.ringkernel.spring.boot.test.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.KernelSettings;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleApplication;
import io.ringkernel.spring.boot.test.autoconfigure.example.Number;
import io.ringkernel.spring.boot.test.autoconfigure.example.Twice;
import io.ringkernel.test.ptx.PtxMachine;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static io.ringkernel.test.RingKernelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigurePtxMachine @AutoConfigurePtxMachine}.
 */
class AutoConfigurePtxMachineTests {

	@Test
	void theMachineIsNotThereWhereKernelsAreDisabled() {
		application().withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(PtxMachine.class));
	}

	@Test
	void requestsMayTakeAMinute() {
		application()
			.withPropertyValues("ringkernel.defaults.request-timeout=2s",
					"ringkernel.kernels.patient.request-timeout=5m")
			.run((context) -> {
				assertThat(requestTimeout(context, "twice")).isEqualTo(Duration.ofMinutes(1));
				assertThat(requestTimeout(context, "patient")).isEqualTo(Duration.ofMinutes(5));
			});
	}

	@Test
	void aTestMayShortenTheTimeout() {
		application()
			.withBean(KernelOptionsCustomizer.class,
					() -> (kernelId, options) -> options.toBuilder().requestTimeout(Duration.ofSeconds(1)).build())
			.run((context) -> assertThat(requestTimeout(context, "twice")).isEqualTo(Duration.ofSeconds(1)));
	}

	private static ApplicationContextRunner application() {
		return new ApplicationContextRunner().withConfiguration(
				AutoConfigurations.of(PtxMachineAutoConfiguration.class, RingKernelAutoConfiguration.class));
	}

	private static Duration requestTimeout(ApplicationContext context, String kernelId) {
		return context.getBean(KernelSettings.class).optionsOf(kernelId).requestTimeout();
	}

	@Nested
	@RingKernelTest(Twice.class)
	@ContextConfiguration(classes = ExampleApplication.class)
	@AutoConfigurePtxMachine
	class WithAnImage {

		@TempDir
		static Path directory;

		@Autowired
		private PtxMachine machine;

		@Autowired
		private Kernel<Number, Number> twice;

		@DynamicPropertySource
		static void image(DynamicPropertyRegistry registry) throws IOException {
			MessageLayout<Number> layout = MessageLayout.of(Number.class);
			Path image = Files.writeString(directory.resolve("twice.ptx"),
					HandlerCompiler.compile(new Twice(), layout, layout).ptx());
			registry.add("ringkernel.kernels.twice.image", image::toUri);
		}

		@Test
		void theKernelRunsOnTheMachine() {
			assertThat(this.twice.status().plan().backend()).isEqualTo(BackendKind.CUDA);
			assertThat(this.twice).failingWithoutDevice()
				.agreesWithItsHandlerOn(new Number(21), new Number(Integer.MAX_VALUE));
			assertThat(this.machine.faults()).isEmpty();
		}

	}

}
