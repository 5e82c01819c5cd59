package io.ringkernel.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.RequestStream;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A full ring, requests that are given up, and the slots that they leave.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class FlowControlConformance {

	private static final int SLOTS = 4;

	private static final Duration HOLD = Duration.ofMillis(400);

	private static final Duration SHORT = Duration.ofMillis(5);

	/**
	 * One worker that hears of withdrawals between any two requests, under every plan.
	 */
	private static final KernelOptions ONE_BY_ONE = ConformanceFixture.OPTIONS.toBuilder().workers(1).build();

	@RegisterExtension
	final ConformanceFixture fixture;

	FlowControlConformance(ConformanceFixture fixture) {
		this.fixture = fixture;
	}

	private Kernel<Slow, Slow> slow(KernelOptions options) {
		return this.fixture.activate(ConformanceFixture.withSlots(SLOTS, this.fixture.kernels().slow(options)));
	}

	private static Slow taking(Duration time) {
		return new Slow(0, 0, time.toNanos() / 1_000);
	}

	private static void awaitNothingInFlight(Kernel<?, ?> kernel) {
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().inFlight()).isZero());
	}

	private static void verifyUsable(Kernel<Slow, Slow> kernel) {
		for (int i = 0; i < 10 * SLOTS; i++) {
			Slow request = new Slow(9, i, 0);
			assertThat(kernel.client().call(request)).isEqualTo(request);
		}
		awaitNothingInFlight(kernel);
	}

	@Test
	void aKernelThatRejectsFailsAtOnceWhenItsRingIsFull() {
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().workers(1).backpressure(Backpressure.REJECT).build());
		List<CompletableFuture<Slow>> replies = new ArrayList<>();
		for (int i = 0; i < SLOTS; i++) {
			replies.add(kernel.client().submit(taking((i == 0) ? HOLD : Duration.ZERO)));
		}
		assertThatExceptionOfType(RingFullException.class).isThrownBy(() -> kernel.client().call(taking(Duration.ZERO)))
			.satisfies((ex) -> {
				assertThat(ex.ringSize()).isEqualTo(SLOTS);
				assertThat(ex.inFlight()).isEqualTo(SLOTS);
			})
			.withMessageContaining("slow")
			.withMessageContaining("4 of 4");
		assertThatExceptionOfType(RingFullException.class)
			.isThrownBy(() -> kernel.client().submit(taking(Duration.ZERO)));
		assertThat(kernel.status().rejected()).isEqualTo(2);
		assertThat(replies).allSatisfy((reply) -> assertThat(reply).succeedsWithin(ConformanceFixture.LIMIT));
		awaitNothingInFlight(kernel);
		verifyUsable(kernel);
	}

	@Test
	void aKernelThatRejectsTakesARequestWhileAnySlotIsFree() {
		this.fixture.requireAnswersBesideSlowRequests();
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().workers(2).backpressure(Backpressure.REJECT).build());
		CompletableFuture<Slow> held = kernel.client().submit(taking(HOLD));
		verifyUsableBeside(kernel, held);
		assertThat(held).succeedsWithin(ConformanceFixture.LIMIT);
	}

	/**
	 * The ring goes round past the slot that is held, more than once where the backend is
	 * quick enough.
	 */
	private static void verifyUsableBeside(Kernel<Slow, Slow> kernel, CompletableFuture<Slow> held) {
		int beside = 0;
		while (beside < 10 * SLOTS && !held.isDone()) {
			Slow request = new Slow(9, beside, 0);
			assertThat(kernel.client().call(request)).isEqualTo(request);
			beside++;
		}
		assertThat(beside).isGreaterThan(SLOTS);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aKernelThatBlocksWaitsForAFreeSlot(WaitStrategy strategy) {
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().workers(1).waitStrategy(strategy).build());
		for (int i = 0; i < SLOTS; i++) {
			kernel.client().submit(taking((i == 0) ? HOLD.dividedBy(4) : Duration.ZERO));
		}
		Slow request = new Slow(1, 2, 0);
		assertThat(kernel.client().call(request)).isEqualTo(request);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aKernelThatBlocksGivesUpAfterTheTimeout(WaitStrategy strategy) {
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().workers(1).waitStrategy(strategy).build());
		for (int i = 0; i < SLOTS; i++) {
			kernel.client().submit(taking((i == 0) ? HOLD : Duration.ZERO));
		}
		assertThatExceptionOfType(RingFullException.class)
			.isThrownBy(() -> kernel.client().call(taking(Duration.ZERO), SHORT))
			.withMessageContaining("5ms");
		awaitNothingInFlight(kernel);
		verifyUsable(kernel);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void callsThatTimeOutGiveTheirSlotsBack(WaitStrategy strategy) {
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().workers(1).waitStrategy(strategy).build());
		for (int i = 0; i <= SLOTS; i++) {
			assertThatExceptionOfType(RequestTimeoutException.class)
				.isThrownBy(() -> kernel.client().call(taking(Duration.ofMillis(100)), SHORT))
				.satisfies((ex) -> assertThat(ex.timeout()).isEqualTo(SHORT));
			awaitNothingInFlight(kernel);
		}
		assertThat(kernel.status().timedOut()).isEqualTo(SLOTS + 1);
		verifyUsable(kernel);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void futuresThatTimeOutGiveTheirSlotsBack(WaitStrategy strategy) {
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().workers(1).waitStrategy(strategy).build());
		for (int i = 0; i < 3; i++) {
			List<CompletableFuture<Slow>> replies = new ArrayList<>();
			for (int slot = 0; slot < SLOTS; slot++) {
				replies.add(kernel.client().submit(taking(Duration.ofMillis(150)), SHORT));
			}
			assertThat(replies).allSatisfy((reply) -> assertThat(reply).failsWithin(ConformanceFixture.LIMIT)
				.withThrowableThat()
				.withCauseInstanceOf(RequestTimeoutException.class));
			awaitNothingInFlight(kernel);
		}
		verifyUsable(kernel);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void cancelledFuturesGiveTheirSlotsBack(WaitStrategy strategy) {
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().workers(1).waitStrategy(strategy).build());
		for (int i = 0; i < 3; i++) {
			List<CompletableFuture<Slow>> replies = new ArrayList<>();
			for (int slot = 0; slot < SLOTS; slot++) {
				replies.add(kernel.client().submit(taking(Duration.ofMillis(20))));
			}
			replies.forEach((reply) -> assertThat(reply.cancel(true)).isTrue());
			awaitNothingInFlight(kernel);
			assertThat(replies).allSatisfy((reply) -> assertThat(reply).isCancelled());
		}
		verifyUsable(kernel);
	}

	@Test
	void aWithdrawnRequestThatWasNotBegunIsNotRun() {
		Kernel<Slow, Slow> kernel = slow(ONE_BY_ONE);
		CompletableFuture<Slow> held = kernel.client().submit(taking(HOLD));
		CompletableFuture<Slow> withdrawn = kernel.client().submit(taking(ConformanceFixture.LIMIT.multipliedBy(2)));
		withdrawn.cancel(true);
		assertThat(held).succeedsWithin(ConformanceFixture.LIMIT);
		verifyUsable(kernel);
	}

	@Test
	void aRequestThatTimesOutBeforeItIsBegunIsNotRun() {
		Kernel<Slow, Slow> kernel = slow(ONE_BY_ONE);
		CompletableFuture<Slow> held = kernel.client().submit(taking(HOLD));
		Slow endless = taking(ConformanceFixture.LIMIT.multipliedBy(2));
		assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(() -> kernel.client().call(endless, SHORT));
		assertThat(held).succeedsWithin(ConformanceFixture.LIMIT);
		verifyUsable(kernel);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void interruptedCallersGiveTheirSlotsBack(WaitStrategy strategy) throws InterruptedException {
		Kernel<Slow, Slow> kernel = slow(ONE_BY_ONE.toBuilder().waitStrategy(strategy).build());
		for (int i = 0; i < 2; i++) {
			CompletableFuture<Slow> held = kernel.client().submit(taking(HOLD));
			AtomicInteger flags = new AtomicInteger();
			Concurrently.Running callers = Concurrently.start(SLOTS - 1, (thread) -> {
				assertThatExceptionOfType(RequestInterruptedException.class)
					.isThrownBy(() -> kernel.client().call(taking(ConformanceFixture.LIMIT)));
				flags.addAndGet(Thread.interrupted() ? 1 : 0);
			});
			ConformanceFixture.await().until(() -> kernel.status().inFlight() == SLOTS);
			callers.threads().forEach(Thread::interrupt);
			callers.join(ConformanceFixture.LIMIT);
			assertThat(flags).hasValue(SLOTS - 1);
			assertThat(held).succeedsWithin(ConformanceFixture.LIMIT);
			awaitNothingInFlight(kernel);
		}
		verifyUsable(kernel);
	}

	@Test
	void aCallerThatIsInterruptedAlreadyDoesNotLoseAnAnswer() {
		Kernel<Slow, Slow> kernel = slow(ConformanceFixture.OPTIONS);
		Thread.currentThread().interrupt();
		try {
			kernel.client().call(taking(Duration.ofMillis(20)));
		}
		catch (RequestInterruptedException ex) {
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			Thread.interrupted();
		}
		awaitNothingInFlight(kernel);
		verifyUsable(kernel);
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aStreamThatNothingIsSentOnTimesOut(WaitStrategy strategy) {
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().waitStrategy(strategy).requestTimeout(SHORT).build());
		try (RequestStream<Slow, Slow> stream = kernel.client().openStream()) {
			assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(stream::receive);
		}
	}

	@Test
	void aStreamThatIsClosedGivesItsSlotsBack() {
		Kernel<Slow, Slow> kernel = slow(ConformanceFixture.OPTIONS.toBuilder().workers(1).build());
		for (int i = 0; i < 3; i++) {
			try (RequestStream<Slow, Slow> stream = kernel.client().openStream()) {
				for (int slot = 0; slot < SLOTS; slot++) {
					stream.send(taking(Duration.ofMillis(5)));
				}
			}
			awaitNothingInFlight(kernel);
		}
		verifyUsable(kernel);
	}

	@Test
	void aBatchLongerThanTheRingIsTakenByAKernelThatRejects() {
		Kernel<Slow, Slow> kernel = slow(
				ConformanceFixture.OPTIONS.toBuilder().backpressure(Backpressure.REJECT).build());
		List<Slow> batch = new ArrayList<>();
		for (int i = 0; i < 50 * SLOTS; i++) {
			batch.add(new Slow(2, i, 0));
		}
		assertThat(kernel.client().callAll(batch)).isEqualTo(batch);
	}

	@Test
	void requestsThatAreGivenUpAllTheTimeLeaveNothingBehind() throws InterruptedException {
		Kernel<Slow, Slow> kernel = slow(ConformanceFixture.OPTIONS.toBuilder().workers(2).build());
		Concurrently.run(8, ConformanceFixture.LIMIT, (producer) -> {
			for (int i = 0; i < 200; i++) {
				Slow request = new Slow(producer, i, (i % 4 == 0) ? 300 : 0);
				try {
					if (i % 2 == 0) {
						kernel.client().submit(request).cancel(true);
					}
					else {
						assertThat(kernel.client().call(request, Duration.ofNanos(200_000))).isEqualTo(request);
					}
				}
				catch (RequestTimeoutException | RingFullException ex) {
					assertThat(ex).hasMessageContaining("slow");
				}
			}
		});
		awaitNothingInFlight(kernel);
		verifyUsable(kernel);
	}

}
