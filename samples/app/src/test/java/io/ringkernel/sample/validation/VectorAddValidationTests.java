package io.ringkernel.sample.validation;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.sample.SampleApplication;
import io.ringkernel.sample.vectoradd.VectorAddRequest;
import io.ringkernel.sample.vectoradd.VectorAddResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class VectorAddValidationTests {

	@Test
	void logsOneTableAtStartup(CapturedOutput output) {
		run("--server.port=0", "--ringkernel.backend=cpu");
		assertThat(output).containsOnlyOnce(
				"Ring kernel 'vector-add' against plain Java: backend cpu, mode persistent, transport direct (backend 'cpu' was asked for;")
			.containsPattern("small +10 +\\d+\\.\\d  passed")
			.containsPattern("boundary +25 +\\d+\\.\\d  passed")
			.containsPattern("large +100 +\\d+\\.\\d  passed")
			.containsPattern("capacity +4096 +\\d+\\.\\d  passed");
	}

	@Test
	void canBeTurnedOff(CapturedOutput output) {
		run("--server.port=0", "--ringkernel.backend=cpu", "--sample.validation.enabled=false");
		assertThat(output).contains("Started").doesNotContain("against plain Java");
	}

	private static void run(String... args) {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(SampleApplication.class)
			.run(args)) {
			assertThat(application.isRunning()).isTrue();
		}
	}

	@Test
	void failsOnAWrongElement(CapturedOutput output) {
		assertThatExceptionOfType(ValidationFailedException.class).isThrownBy(() -> validate((request) -> {
			float[] sum = new float[request.a().length];
			for (int i = 0; i < sum.length; i++) {
				sum[i] = request.a()[i] + request.b()[i] + ((i == 30) ? 1 : 0);
			}
			return new VectorAddResponse(sum);
		}))
			.withMessageContaining("'vector-add' failed its validation: 100 elements: element 30 is")
			.withMessageContaining("4096 elements: element 30 is")
			.withMessageNotContaining("25 elements");
		assertThat(output).contains("ERROR").containsPattern("large +100 .*FAILED: element 30 is 38.5, not 37.5");
	}

	@Test
	void failsOnAWrongLength() {
		assertThatExceptionOfType(ValidationFailedException.class)
			.isThrownBy(() -> validate((request) -> new VectorAddResponse(new float[25])))
			.withMessageContaining("10 elements: 25 elements, not 10");
	}

	@Test
	void failsWhenTheHandlerDoes() {
		assertThatExceptionOfType(ValidationFailedException.class).isThrownBy(() -> validate((request) -> {
			throw new IllegalStateException("broken");
		})).withMessageContaining("broken");
	}

	private static void validate(RingKernelHandler<VectorAddRequest, VectorAddResponse> handler) {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO)) {
			Kernel<VectorAddRequest, VectorAddResponse> kernel = runtime.define(KernelSpec.of("vector-add",
					VectorAddRequest.class, VectorAddResponse.class, handler, KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			new VectorAddValidation(kernel).run(new DefaultApplicationArguments());
		}
	}

}
