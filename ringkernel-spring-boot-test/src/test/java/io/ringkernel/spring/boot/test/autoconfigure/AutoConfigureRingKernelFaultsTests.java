package io.ringkernel.spring.boot.test.autoconfigure;

import java.time.Duration;

import io.ringkernel.KernelState;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleApplication;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleService;
import io.ringkernel.spring.boot.test.autoconfigure.example.Number;
import io.ringkernel.test.fault.RingKernelFaults;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.ringkernel.test.RingKernelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AutoConfigureRingKernelFaults @AutoConfigureRingKernelFaults}.
 */
class AutoConfigureRingKernelFaultsTests {

	@Test
	void faultsAreNotThereWhereKernelsAreDisabled() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RingKernelFaultsAutoConfiguration.class, RingKernelAutoConfiguration.class))
			.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RingKernelFaults.class));
	}

	@Nested
	@SpringBootTest(classes = ExampleApplication.class, properties = "ringkernel.defaults.stop-timeout=200ms")
	@AutoConfigureRingKernelFaults
	@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
	class InTheWholeApplication {

		@Autowired
		private RingKernelFaults faults;

		@Autowired
		private ExampleService service;

		@Autowired
		@Qualifier("twice")
		private Kernel<Number, Number> twice;

		@Test
		@Order(1)
		void faultsAreInjected() {
			assertThat(this.service).isNotNull();
			assertThat(this.twice.status().plan().backend()).isEqualTo(BackendKind.CPU);
			assertThat(RingKernelFaults.areInjectedInto(this.twice.status().plan())).isTrue();
			this.faults.fail("twice", () -> new IllegalStateException("broken"));
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> this.twice.client().call(new Number(1)));
		}

		@Test
		@Order(2)
		void theyAreGoneInTheNextTestWhichLosesTheDevice() {
			assertThat(this.twice).agreesWithItsHandlerOn(new Number(1));
			this.faults.loseDevice("twice");
			assertThat(this.twice).hasState(KernelState.FAILED);
		}

		@Test
		@Order(3)
		void theDeviceIsBackInTheNextTestInWhichTheKernelIsStuck() {
			assertThat(this.twice.client().call(new Number(1), Duration.ofSeconds(30))).isEqualTo(new Number(2));
			this.faults.stick("twice");
		}

		@Test
		@Order(4)
		void itIsNotStuckInTheNextTest() {
			this.twice.relaunch();
			assertThat(this.twice).hasState(KernelState.ACTIVE);
		}

	}

}
