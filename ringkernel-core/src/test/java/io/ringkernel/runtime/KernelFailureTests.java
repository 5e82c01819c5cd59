package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.ring.WaitStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelFailureTests extends KernelFixture {

	@Test
	void aLaunchThatFailsLeavesTheReasonAndMayBeTriedAgain() {
		KernelOptions tiny = OPTIONS.toBuilder().ringMemory(1).build();
		Kernel<Number, Number> kernel = define("tiny", tiny, (request) -> request);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(kernel::launch);
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("ring-memory = 1 B");
		kernel.terminate();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
	}

	@Test
	void aBackendThatThrowsAtLaunchFailsTheKernelAndARelaunchLeavesThatState() {
		Kernel<Number, Number> kernel = define("broken", (request) -> request);
		this.provider.loadFailure = new IllegalStateException("no such image");
		assertThatIllegalStateException().isThrownBy(kernel::launch);
		assertThat(kernel.state()).isEqualTo(KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("no such image");
		this.provider.loadFailure = null;
		kernel.relaunch();
		assertThat(kernel.client().call(new Number(1))).isEqualTo(new Number(1));
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aLoopThatBreaksFailsTheKernelAndEveryoneWhoWaits(WaitStrategy strategy) {
		Kernel<Number, Number> kernel = define("breaking-" + strategy.ordinal(),
				OPTIONS.toBuilder().waitStrategy(strategy).stopTimeout(Duration.ofMillis(50)).build(), (request) -> {
					Thread.currentThread().join();
					return request;
				});
		start(kernel);
		CompletableFuture<Number> future = kernel.client().submit(new Number(1));
		IllegalStateException cause = new IllegalStateException("device fault");
		this.provider.failure = cause;
		// It has been sent, or the break was noticed before.
		assertThatThrownBy(() -> kernel.client().call(new Number(2))).satisfiesAnyOf(
				(ex) -> assertThat(ex).isInstanceOf(KernelTerminatedException.class).hasCause(cause),
				(ex) -> assertThat(ex).isInstanceOf(KernelNotActiveException.class));
		assertThat(future).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(KernelTerminatedException.class);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("device fault");
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aKernelWhoseDeviceIsLostAdvisesNoRelaunch() {
		Kernel<Number, Number> kernel = define("lost", (request) -> request);
		start(kernel);
		this.provider.failure = new IllegalStateException("device fault");
		assertThat(kernel.status().state()).isEqualTo(KernelState.FAILED);
		assertThat(kernel.isDeviceLost()).isFalse();
		assertThatThrownBy(() -> kernel.client().call(new Number(1))).hasMessageEndingWith("Relaunch it.");
		this.provider.withDeviceFailure(() -> this.provider.failure);
		assertThat(kernel.isDeviceLost()).isTrue();
		assertThatThrownBy(() -> kernel.client().call(new Number(1)))
			.hasMessageEndingWith("This process has lost the device that it runs on. Restart the application.");
	}

	@Test
	void aKernelWhoseDeviceCanBeGotBackAdvisesARelaunch() {
		Kernel<Number, Number> kernel = define("away", (request) -> request);
		start(kernel);
		this.provider.failure = new IllegalStateException("the host has ended");
		this.provider.withDeviceFailure(() -> this.provider.failure).withRecovery();
		assertThat(kernel.status().state()).isEqualTo(KernelState.FAILED);
		assertThat(kernel.isDeviceLost()).isFalse();
		assertThatThrownBy(() -> kernel.client().call(new Number(1))).hasMessageEndingWith("Relaunch it.");
	}

	@Test
	void theStatusTellsOfABrokenLoopBeforeTheNextRequestIsRefused() {
		Kernel<Number, Number> kernel = define("told", (request) -> request);
		start(kernel);
		this.provider.failure = new IllegalStateException("device fault");
		assertThat(kernel.status().state()).isEqualTo(KernelState.FAILED);
		assertThatThrownBy(() -> kernel.client().call(new Number(1))).isInstanceOf(KernelNotActiveException.class);
	}

	@Test
	void aLaunchAfterTheLoopHasBrokenLeavesNothingOfTheOldOneBehind() {
		Kernel<Number, Number> kernel = define("twice", (request) -> request);
		start(kernel);
		this.provider.failure = new IllegalStateException("device fault");
		assertThatThrownBy(() -> {
			while (true) {
				kernel.client().call(new Number(1));
				kernel.client().submit(new Number(1)).join();
			}
		}).satisfiesAnyOf((ex) -> assertThat(ex).isInstanceOf(KernelTerminatedException.class),
				(ex) -> assertThat(ex).hasCauseInstanceOf(KernelTerminatedException.class),
				(ex) -> assertThat(ex).isInstanceOf(KernelNotActiveException.class));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().state() == KernelState.FAILED);
		this.provider.failure = null;
		kernel.launch();
		kernel.activate();
		assertThat(kernel.client().call(new Number(2))).isEqualTo(new Number(2));
		assertThat(threads("twice")).filteredOn((name) -> name.endsWith("dispatcher")).hasSize(1);
	}

	@Test
	void aHandlerThatNeverEndsFailsItsKernelAndNoOther() {
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Number, Number> stuck = define("stuck",
				OPTIONS.toBuilder().stopTimeout(Duration.ofMillis(50)).drainTimeout(Duration.ofMillis(10)).build(),
				(request) -> {
					awaitUninterruptibly(release);
					return request;
				});
		Kernel<Number, Number> other = define("other", (request) -> request);
		start(stuck);
		start(other);
		CompletableFuture<Number> held = stuck.client().submit(new Number(1));
		Awaitility.await().atMost(LIMIT).until(() -> stuck.status().activeWorkers() > 0);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(stuck::terminate)
			.withMessageContaining("'stuck'")
			.withMessageContaining("100ms");
		assertThat(stuck.state()).isEqualTo(KernelState.FAILED);
		assertThat(held).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(KernelTerminatedException.class);
		assertThat(other.client().call(new Number(3))).isEqualTo(new Number(3));
		assertThat(this.provider.openMemories).hasValue(2);
		release.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> threads("stuck").isEmpty());
		stuck.terminate();
		assertThat(stuck.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(this.provider.openMemories).hasValue(1);
		stuck.relaunch();
		assertThat(stuck.client().call(new Number(4))).isEqualTo(new Number(4));
	}

	@Test
	void aHandlerThatCannotBeInterruptedIsWaitedForOnce() {
		this.provider.interruptible = false;
		CountDownLatch release = new CountDownLatch(1);
		Kernel<Number, Number> endless = define("endless",
				OPTIONS.toBuilder().stopTimeout(Duration.ofMillis(50)).drainTimeout(Duration.ofMillis(10)).build(),
				(request) -> {
					awaitUninterruptibly(release);
					return request;
				});
		start(endless);
		CompletableFuture<Number> held = endless.client().submit(new Number(1));
		Awaitility.await().atMost(LIMIT).until(() -> endless.status().activeWorkers() > 0);
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(endless::terminate)
			.withMessageContaining("within 50ms");
		assertThat(this.provider.stops).hasValue(1);
		assertThat(held).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(KernelTerminatedException.class);
		release.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> threads("endless").isEmpty());
		endless.terminate();
		assertThat(endless.state()).isEqualTo(KernelState.TERMINATED);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				// That is what makes it stuck.
			}
		}
	}

}
