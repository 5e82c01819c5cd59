package io.ringkernel.test.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RingKernelFaults}, without Spring.
 */
class RingKernelFaultsTests {

	private static final Duration SHORT = Duration.ofMillis(100);

	private static final Duration LONG = Duration.ofSeconds(30);

	private final AtomicInteger handled = new AtomicInteger();

	private final RingKernelFaults faults = new RingKernelFaults(() -> this.runtime);

	private RingKernelRuntime runtime;

	private Kernel<Number, Number> twice;

	private Kernel<Number, Number> other;

	@BeforeEach
	void open() {
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, this.faults.providers());
		this.twice = define("twice");
		this.other = define("other");
	}

	private Kernel<Number, Number> define(String id) {
		return define(id, Replication.NONE);
	}

	private Kernel<Number, Number> define(String id, Replication replication) {
		KernelOptions options = KernelOptions.builder()
			.workers(2)
			.backpressure(Backpressure.REJECT)
			.stopTimeout(SHORT)
			.drainTimeout(SHORT)
			.build();
		Kernel<Number, Number> kernel = this.runtime.define(KernelSpec.of(id, Number.class, Number.class, (number) -> {
			this.handled.incrementAndGet();
			return new Number(number.value() * 2);
		}, options), replication, null);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	@AfterEach
	void close() {
		this.faults.close();
		this.runtime.close();
	}

	private void assertAnswers(Kernel<Number, Number> kernel) {
		assertThat(kernel.client().call(new Number(21), LONG)).isEqualTo(new Number(42));
	}

	@Test
	void thereIsNoneAtFirst() {
		assertAnswers(this.twice);
	}

	@Test
	void aDelayHoldsARequestUpForAtLeastThatLong() {
		this.faults.delay("twice", SHORT);
		long begun = System.nanoTime();
		assertAnswers(this.twice);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void aDelayBeyondTheTimeoutTimesOut() {
		this.faults.delay("twice", LONG);
		assertThatExceptionOfType(RequestTimeoutException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1), SHORT));
	}

	@Test
	void aResetEndsADelayAndTheRequestIsAnsweredAtOnce() {
		this.faults.delay("twice", LONG);
		CompletableFuture<Number> held = this.twice.client().submit(new Number(21), LONG);
		await().until(() -> this.twice.status().activeWorkers() > 0);
		this.faults.reset();
		assertThat(this.twice.status().inFlight()).isZero();
		assertThat(held).isDone();
		assertAnswers(this.twice);
	}

	@Test
	void aFailureIsTheCauseOfWhatTheCallerIsThrown() {
		this.faults.fail("twice", () -> new IllegalStateException("broken"));
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1), LONG))
			.withCauseExactlyInstanceOf(IllegalStateException.class)
			.withMessageContaining("broken");
		assertThat(this.handled).hasValue(0);
	}

	@Test
	void aScriptGivesEachRequestItsFaultAndThenThereIsNone() {
		this.faults.script("twice", Fault.failure(IllegalStateException::new), Fault.none(), Fault.drop());
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1), LONG));
		assertAnswers(this.twice);
		assertThatExceptionOfType(RequestTimeoutException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1), SHORT));
		assertAnswers(this.twice);
	}

	@Test
	void faultsOfOneKernelAreNotThoseOfAnother() {
		this.faults.drop("twice");
		assertAnswers(this.other);
	}

	@Test
	void aLostDeviceFailsWhoWaitsAndTheKernel() {
		this.faults.delay("twice", LONG);
		CompletableFuture<Number> waiting = this.twice.client().submit(new Number(1), LONG);
		this.faults.loseDevice("twice");
		assertThat(this.twice.state()).isEqualTo(KernelState.FAILED);
		assertThat(waiting).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(KernelTerminatedException.class)
			.havingCause()
			.isInstanceOf(InjectedFaultException.class);
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1)));
		assertThat(this.twice.status().lastFailure()).contains("The device was lost");
		assertAnswers(this.other);
	}

	@Test
	void aLostDeviceAnswersNothingThatItWasStillAt() throws Exception {
		CountDownLatch handling = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		Kernel<Number, Number> held = this.runtime
			.define(KernelSpec.of("held", Number.class, Number.class, (number) -> {
				handling.countDown();
				goOn.await();
				return number;
			}, KernelOptions.builder().workers(1).stopTimeout(SHORT).build()));
		held.launch();
		held.activate();
		CompletableFuture<Number> waiting = held.client().submit(new Number(1), LONG);
		handling.await();
		this.faults.loseDevice("held");
		goOn.countDown();
		assertThat(waiting).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(KernelTerminatedException.class);
	}

	@Test
	void aKernelWithoutADeviceCannotBeLaunchedUntilTheReset() {
		this.faults.loseDevice("twice");
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(this.twice::relaunch)
			.withMessageContaining("its device is lost, as a test asked");
		this.faults.reset();
		assertThat(this.twice.state()).isEqualTo(KernelState.ACTIVE);
		assertAnswers(this.twice);
	}

	@Test
	void theDeviceCanBeLostUnderAllKernels() {
		this.faults.loseDevice();
		assertThat(List.of(this.twice.state(), this.other.state())).containsOnly(KernelState.FAILED);
		this.faults.reset();
		assertAnswers(this.twice);
		assertAnswers(this.other);
	}

	@Test
	void aStuckKernelNeitherAnswersNorStopsNorTerminates() {
		this.faults.stick("twice");
		assertThatExceptionOfType(RequestTimeoutException.class)
			.isThrownBy(() -> this.twice.client().call(new Number(1), SHORT));
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(this.twice::deactivate);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(this.twice::terminate);
		assertThat(this.twice.state()).isEqualTo(KernelState.FAILED);
		this.faults.reset();
		assertAnswers(this.twice);
	}

	@Test
	void aKernelIsStuckEvenIfNothingWasAsked() {
		this.faults.stick("twice");
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(this.twice::deactivate);
		assertThat(this.twice.state()).isEqualTo(KernelState.INACTIVE);
		this.faults.reset();
		this.twice.activate();
		assertAnswers(this.twice);
	}

	@Test
	void faultsOfAKernelAreThoseOfItsReplicas() {
		Kernel<Number, Number> replicated = define("replicated", new Replication(2, List.of()));
		this.faults.fail("replicated", IllegalStateException::new);
		for (int i = 0; i < 4; i++) {
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> replicated.client().call(new Number(1), LONG));
		}
		this.faults.reset();
		assertThat(this.handled).hasValue(0);
		assertAnswers(replicated);
	}

	@Test
	void aFaultOfOneReplicaIsNotOneOfTheOthers() {
		Kernel<Number, Number> replicated = define("replicated", new Replication(2, List.of()));
		this.faults.fail("replicated.1", IllegalStateException::new);
		assertAnswers(replicated.replicas().get(0));
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> replicated.replicas().get(1).client().call(new Number(1), LONG));
	}

	@Test
	void replicasShareTheScriptOfTheirKernel() {
		Kernel<Number, Number> replicated = define("replicated", new Replication(2, List.of()));
		this.faults.script("replicated", Fault.failure(IllegalStateException::new));
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> replicated.replicas().get(0).client().call(new Number(1), LONG));
		assertAnswers(replicated.replicas().get(1));
		assertAnswers(replicated.replicas().get(0));
	}

	@Test
	void theDeviceOfEachReplicaIsLost() {
		Kernel<Number, Number> replicated = define("replicated", new Replication(2, List.of()));
		this.faults.loseDevice("replicated");
		assertThat(replicated.replicas()).extracting(Kernel::state).containsOnly(KernelState.FAILED);
		this.faults.reset();
		assertThat(replicated.replicas()).extracting(Kernel::state).containsOnly(KernelState.ACTIVE);
		assertAnswers(replicated);
	}

	@Test
	void theRingOfEachReplicaIsFilled() {
		Kernel<Number, Number> replicated = define("replicated", new Replication(2, List.of()));
		this.faults.fillRing("replicated", new Number(0));
		assertThat(replicated.status().inFlight()).isEqualTo(replicated.status().slots());
		assertThatExceptionOfType(RingFullException.class)
			.isThrownBy(() -> replicated.client().call(new Number(1), LONG));
		this.faults.reset();
		assertThat(this.handled).hasValue(0);
		assertAnswers(replicated);
	}

	@Test
	void aResetPassesOverAReplicaThatIsGone() {
		Kernel<Number, Number> replicated = define("replicated", new Replication(2, List.of()));
		this.faults.fail("replicated", IllegalStateException::new);
		replicated.resize(1);
		this.faults.reset();
		assertAnswers(replicated);
	}

	@Test
	void stateIsSavedAndRestored(@TempDir Path directory) {
		KernelSpec<Number, Number> counting = KernelSpec.of("counting", Number.class, Number.class, new Counting(),
				KernelOptions.DEFAULTS);
		Kernel<Number, Number> kernel = this.runtime.define(counting);
		kernel.launch();
		kernel.activate();
		kernel.client().call(new Number(5), LONG);
		kernel.snapshot(directory.resolve("counting"));
		kernel.client().call(new Number(7), LONG);
		kernel.restore(directory.resolve("counting"));
		assertThat(kernel.client().call(new Number(1), LONG)).isEqualTo(new Number(6));
	}

	@Test
	void unknownKernelIsRefusedWithThoseThatThereAre() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.faults.drop("twize"))
			.withMessage("There is no ring kernel 'twize'. There are: [twice, other].");
	}

	@Test
	void aDelayThatIsNoneIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.faults.delay("twice", Duration.ofMinutes(11)))
			.withMessage("delay = 11m is out of range. Set it to a duration from 0s to 10m.");
	}

	@Test
	void aResetWithoutFaultsLeavesRequestsInFlightAlone() {
		this.faults.delay("other", LONG);
		CompletableFuture<Number> held = this.other.client().submit(new Number(21), LONG);
		this.faults.drop("twice");
		assertThat(held).isNotDone();
		this.faults.reset();
		assertThat(held).isDone();
	}

	@Test
	void aConfigurationThatDemandsADeviceIsServed() {
		try (RingKernelRuntime demanding = RingKernelRuntime
			.open(new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, null), this.faults.providers())) {
			assertThat(demanding.plan().backend()).isEqualTo(BackendKind.CUDA);
			assertThat(demanding.plan().mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
			assertThat(demanding.plan().transport()).isEqualTo(Transport.MAPPED);
			assertThat(RingKernelFaults.areInjectedInto(demanding.plan())).isTrue();
		}
	}

	@Test
	void theReasonIsShown() {
		assertThat(this.runtime.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(this.runtime.plan().reasons())
			.contains("Java threads run the kernels, so that a test can inject faults");
		assertThat(RingKernelFaults.areInjectedInto(this.runtime.plan())).isTrue();
	}

	record Number(int value) {
	}

	private static final class Counting implements RingKernelHandler<Number, Number> {

		private int sum;

		@Override
		public Number handle(Number number) {
			this.sum += number.value();
			return new Number(this.sum);
		}

	}

}
