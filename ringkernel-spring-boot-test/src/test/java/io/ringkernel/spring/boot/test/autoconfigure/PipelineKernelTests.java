package io.ringkernel.spring.boot.test.autoconfigure;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleApplication;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

import static io.ringkernel.test.RingKernelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A pipeline is a kernel like any other, on the CPU and on a device.
 */
@RingKernelTest
@ContextConfiguration(classes = ExampleApplication.class)
@Import(PipelineKernelTests.Pipelines.class)
@AutoConfigurePtxMachine
class PipelineKernelTests {

	@Autowired
	private Kernel<Payment, Score> score;

	@Autowired
	private RingKernelClient<Payment, Score> client;

	@Test
	void theDeviceAnswersAsTheHandlersDoOneBehindTheOther() {
		assertThat(this.score).failingWithoutDevice()
			.agreesWithItsHandlerOn(payment(1, 2, 3), payment(), payment(new float[100]));
	}

	@Test
	void theFailureNamesTheStage() {
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> this.client.call(payment(-1)))
			.withMessageContaining("the mean is negative")
			.withMessageContaining(Weigh.class.getSimpleName() + ".handle");
	}

	private static Payment payment(float... amounts) {
		return new Payment(amounts);
	}

	record Payment(@Capacity(256) float[] amounts) {
	}

	record Features(float mean, @Capacity(256) float[] deviations) {
	}

	record Score(float score) {
	}

	static class Extract implements RingKernelHandler<Payment, Features> {

		@Override
		public Features handle(Payment payment) {
			float[] amounts = payment.amounts();
			float mean = Parallel.sumFloat(amounts.length, (i) -> amounts[i]) / Math.max(amounts.length, 1);
			float[] deviations = new float[amounts.length];
			Parallel.range(amounts.length, (i) -> deviations[i] = amounts[i] - mean);
			return new Features(mean, deviations);
		}

	}

	static class Weigh implements RingKernelHandler<Features, Score> {

		@Override
		public Score handle(Features features) {
			if (features.mean() < 0) {
				throw new IllegalArgumentException("the mean is negative");
			}
			float[] deviations = features.deviations();
			return new Score(Parallel.sumFloat(deviations.length, (i) -> deviations[i] * deviations[i]));
		}

	}

	static class Pipelines {

		@Bean
		@RingKernel(id = "score")
		RingKernelHandler<Payment, Score> score() {
			return new Extract().andThen(new Weigh());
		}

	}

}
