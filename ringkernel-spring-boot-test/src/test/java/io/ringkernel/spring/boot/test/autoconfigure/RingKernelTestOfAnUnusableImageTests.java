package io.ringkernel.spring.boot.test.autoconfigure;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleApplication;
import io.ringkernel.spring.boot.test.autoconfigure.example.Number;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for what {@link RingKernelTest @RingKernelTest} makes of an image that no device
 * can run.
 */
class RingKernelTestOfAnUnusableImageTests {

	@Test
	void theTestFailsWithTheReason() {
		assertThatException().isThrownBy(() -> contextOf(Failing.class))
			.havingRootCause()
			.isInstanceOf(UnusableImageException.class)
			.withMessageContaining("its image 'classpath:stale.ptx' is older than its records");
	}

	@Test
	void aPropertyOfTheTestOverridesThat() {
		Kernel<?, ?> kernel = contextOf(Warning.class).getBean("stale.kernel", Kernel.class);
		assertThat(kernel.plan().reasons()).last()
			.asString()
			.contains("its image 'classpath:stale.ptx' is older than its records");
	}

	private static ApplicationContext contextOf(Class<?> testClass) {
		return new TestContextManager(testClass).getTestContext().getApplicationContext();
	}

	@ContextConfiguration(classes = ExampleApplication.class)
	@RingKernelTest(Stale.class)
	@Import(Providers.class)
	static class Failing {

	}

	@ContextConfiguration(classes = ExampleApplication.class)
	@RingKernelTest(kernels = Stale.class, properties = "ringkernel.fail-on-unusable-image=false")
	@Import(Providers.class)
	static class Warning {

	}

	@RingKernel(id = "stale", image = "classpath:stale.ptx")
	static class Stale implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			return request;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Stale.class)
	static class Providers {

		@Bean
		BackendProvider cpu() {
			return new CpuBackendProvider();
		}

		@Bean
		BackendProvider absentDevice() {
			return new AbsentDevice();
		}

	}

	static class AbsentDevice implements BackendProvider {

		@Override
		public BackendKind kind() {
			return BackendKind.CUDA;
		}

		@Override
		public PlanOffer plan(PlanRequest request) {
			return new PlanOffer.Refused("there is none", "Buy one.");
		}

		@Override
		public void checkImage(KernelSpec<?, ?> kernel) {
			throw new UnusableImageException(kernel.id(),
					"its image '%s' is older than its records".formatted(kernel.image()), "Build it anew.", null);
		}

		@Override
		public Backend open(ExecutionPlan plan) {
			throw new UnsupportedOperationException();
		}

	}

}
