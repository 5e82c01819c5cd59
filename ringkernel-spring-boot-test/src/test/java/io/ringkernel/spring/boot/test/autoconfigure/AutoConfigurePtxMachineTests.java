package io.ringkernel.spring.boot.test.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
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
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(PtxMachineAutoConfiguration.class, RingKernelAutoConfiguration.class))
			.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(PtxMachine.class));
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
