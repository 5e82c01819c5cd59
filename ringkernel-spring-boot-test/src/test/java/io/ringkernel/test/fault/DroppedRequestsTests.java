package io.ringkernel.test.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.ringkernel.KernelState;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.test.fault.RingKernelFaultsTests.Number;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for requests that {@link RingKernelFaults} leave unanswered.
 */
class DroppedRequestsTests {

	private static final Duration SHORT = Duration.ofMillis(100);

	private static final Duration LONG = Duration.ofSeconds(30);

	private final AtomicInteger handled = new AtomicInteger();

	private final RingKernelFaults faults = new RingKernelFaults(() -> this.runtime);

	private RingKernelRuntime runtime;

	private Kernel<Number, Number> twice;

	@BeforeEach
	void open() {
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, this.faults.providers());
		KernelOptions options = KernelOptions.builder()
			.workers(2)
			.backpressure(Backpressure.REJECT)
			.interruptOnTimeout(true)
			.stopTimeout(SHORT)
			.drainTimeout(SHORT)
			.build();
		this.twice = this.runtime.define(KernelSpec.of("twice", Number.class, Number.class, (number) -> {
			this.handled.incrementAndGet();
			return new Number(number.value() * 2);
		}, options));
		this.twice.launch();
		this.twice.activate();
	}

	@AfterEach
	void close() {
		this.faults.close();
		this.runtime.close();
	}

	private void assertAnswers(Kernel<Number, Number> kernel) {
		assertThat(kernel.client().call(new Number(21), LONG)).isEqualTo(new Number(42));
	}

	private List<CompletableFuture<Number>> submitToEachSlot(Duration timeout) {
		return Stream.generate(() -> this.twice.client().submit(new Number(1), timeout))
			.limit(this.twice.status().slots())
			.toList();
	}

	@Test
	void aDroppedRequestTimesOutAndIsNeverHandled() {
		this.faults.drop("twice");
		assertThatExceptionOfType(RequestTimeoutException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1), SHORT));
		this.faults.reset();
		assertThat(this.twice.status().inFlight()).isZero();
		assertThat(this.handled).hasValue(0);
		assertAnswers(this.twice);
	}

	@Test
	void aFullRingRejectsAndTheHandlerSeesNothingOfWhatFillsIt() {
		this.faults.fillRing("twice", new Number(0));
		assertThat(this.twice.status().inFlight()).isEqualTo(this.twice.status().slots());
		assertThatExceptionOfType(RingFullException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1), LONG));
		this.faults.reset();
		assertThat(this.handled).hasValue(0);
		assertThat(this.twice.status().inFlight()).isZero();
		assertAnswers(this.twice);
	}

	@Test
	void aRingIsFilledWithItsOwnRequests() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.faults.fillRing("twice", new Text(true)))
			.withMessage("Ring kernel 'twice' takes no %s. Fill it with a %s.".formatted(Text.class.getName(),
					Number.class.getName()));
	}

	@Test
	void manyAreHeldAndAllAreLetGo() {
		this.faults.drop("twice");
		List<CompletableFuture<Number>> held = submitToEachSlot(LONG);
		this.faults.reset();
		assertThat(held).allSatisfy((reply) -> assertThat(reply).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(HandlerFailedException.class));
		assertThat(this.handled).hasValue(0);
	}

	@Test
	void thoseThatCallersHaveGivenUpFillTheRingUntilTheReset() {
		this.faults.drop("twice");
		assertThat(submitToEachSlot(SHORT)).allSatisfy((reply) -> assertThat(reply).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(RequestTimeoutException.class));
		assertThatExceptionOfType(RingFullException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1), LONG));
		assertThat(this.twice.status().inFlight()).isEqualTo(this.twice.status().slots());
		this.faults.reset();
		assertThat(this.handled).hasValue(0);
		assertAnswers(this.twice);
	}

	@Test
	void terminationEndsThem() {
		this.faults.drop("twice");
		CompletableFuture<Number> dropped = this.twice.client().submit(new Number(1), LONG);
		await().atMost(LONG).until(() -> this.twice.status().activeWorkers() > 0);
		this.twice.terminate();
		assertThat(this.twice.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(dropped).failsWithin(LONG);
	}

	record Text(boolean value) {
	}

}
