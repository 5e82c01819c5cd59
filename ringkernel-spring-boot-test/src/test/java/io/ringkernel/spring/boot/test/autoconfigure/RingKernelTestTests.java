package io.ringkernel.spring.boot.test.autoconfigure;

import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleProperties;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleApplication;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleService;
import io.ringkernel.spring.boot.test.autoconfigure.example.Half;
import io.ringkernel.spring.boot.test.autoconfigure.example.Number;
import io.ringkernel.spring.boot.test.autoconfigure.example.Twice;
import io.ringkernel.test.fault.RingKernelFaults;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RingKernelTest @RingKernelTest} of all kernels.
 */
@ContextConfiguration(classes = ExampleApplication.class)
@RingKernelTest(properties = "ringkernel.kernels.half.workers=3")
class RingKernelTestTests {

	@Autowired
	private ApplicationContext context;

	@Autowired
	@Qualifier("twice")
	private RingKernelClient<Number, Number> twice;

	@Autowired
	@Qualifier("half")
	private Kernel<Number, Number> half;

	@Test
	void kernelsAndTheirClientsAreThere() {
		assertThat(this.context.getBeansOfType(Kernel.class)).containsOnlyKeys("twice.kernel", "half.kernel");
		assertThat(this.twice.call(new Number(21))).isEqualTo(new Number(42));
		assertThat(this.half.client().call(new Number(42))).isEqualTo(new Number(21));
		assertThat(this.context.getBean(RingKernelRuntime.class).kernels()).hasSize(2);
	}

	@Test
	void nothingElseOfTheApplicationIsThere() {
		assertThat(this.context.getBeansOfType(ExampleService.class)).isEmpty();
		assertThat(this.context.getBeansOfType(ExampleProperties.class)).isEmpty();
		assertThat(this.context.getBeansOfType(TaskExecutionAutoConfiguration.class)).isEmpty();
		assertThat(this.context.getBeansOfType(RingKernelFaults.class)).isEmpty();
	}

	@Test
	void settingsOfTheTestHold() {
		assertThat(this.half.status().workers()).isEqualTo(3);
	}

	@Test
	void handlersAreBeans() {
		assertThat(this.context.getBean(Twice.class)).isNotNull();
		assertThat(this.context.getBean(Half.class)).isNotNull();
	}

}
