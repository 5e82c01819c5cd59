package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.ringkernel.Capacity;
import io.ringkernel.KernelState;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.PositionStuckException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.observe.KernelError;
import io.ringkernel.ring.RingLayout;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whatever fails while a thread owns a slot, the slot is given back.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class SlotOwnershipTests extends KernelFixture {

	private static final int SLOTS = 4;

	private static final int LARGE = 2000;

	private final KernelOptions options = OPTIONS.toBuilder()
		.ringMemory(RingLayout.totalBytes(SLOTS, 8, 8))
		.backpressure(Backpressure.REJECT)
		.build();

	private <T extends Record> Kernel<T, Number> startLarge(String id, Class<T> type, Duration timeout) {
		Kernel<T, Number> kernel = this.runtime.define(KernelSpec.of(id, type, Number.class, (request) -> new Number(1),
				OPTIONS.toBuilder()
					.ringMemory(RingLayout.totalBytes(SLOTS, LARGE + 48, 8))
					.requestTimeout(timeout)
					.build()));
		start(kernel);
		return kernel;
	}

	@Test
	void aTimingListenerThatThrowsAnErrorLeaksNoSlot() {
		Kernel<Number, Number> kernel = define("timed", this.options, (request) -> request);
		kernel.timings().interval(1);
		start(kernel);
		for (int i = 0; i < 10 * SLOTS; i++) {
			kernel.timings().addListener((total, queued, handling, delivery) -> {
				throw new StackOverflowError("of a listener");
			});
			assertThat(kernel.client().call(new Number(i))).isEqualTo(new Number(i));
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
	}

	@Test
	void anErrorOfAnAccessorBehindTheClaimLeaksNoSlot() {
		Kernel<Exhausted, Number> kernel = startLarge("exhausted", Exhausted.class, LIMIT);
		for (int i = 0; i < 10 * SLOTS; i++) {
			assertThatExceptionOfType(OutOfMemoryError.class)
				.isThrownBy(() -> kernel.client().call(new Exhausted(new byte[LARGE])));
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	/** Is measured, but throws when it is written. */
	record Exhausted(@Capacity(LARGE) byte[] bytes) {

		private static final ThreadLocal<Boolean> MEASURED = ThreadLocal.withInitial(() -> false);

		@Override
		public byte[] bytes() {
			boolean wasMeasured = MEASURED.get();
			MEASURED.set(!wasMeasured);
			if (wasMeasured) {
				throw new OutOfMemoryError("of an accessor");
			}
			return this.bytes;
		}

	}

	@Test
	void aPositionThatStaysClaimedFailsItsKernelAndIsNamed() throws Exception {
		Kernel<Blocking, Number> kernel = startLarge("claimed", Blocking.class, Duration.ofMillis(100));
		CompletableFuture<Void> sender = CompletableFuture
			.runAsync(() -> kernel.client().call(new Blocking(0, new byte[LARGE])), (task) -> new Thread(task).start());
		assertThat(Blocking.WRITING.await(30, TimeUnit.SECONDS)).isTrue();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> {
			while (true) {
				kernel.client().submit(new Blocking(1, new byte[LARGE]), LIMIT).get(30, TimeUnit.SECONDS);
			}
		}).havingRootCause().isInstanceOf(PositionStuckException.class).withMessageContaining("Position 0");
		Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.FAILED);
		assertThat(kernel.latestErrors()).extracting(KernelError::type).contains("PositionStuckException");
		Blocking.RELEASE.countDown();
		// Its loop still runs, so the request may be answered after all.
		Awaitility.await().atMost(LIMIT).until(sender::isDone);
		kernel.relaunch();
		assertThat(kernel.client().call(new Blocking(1, new byte[LARGE]), LIMIT)).isEqualTo(new Number(1));
	}

	@Test
	void aPositionThatStaysClaimedBehindASlowRequestFailsItsKernel() throws Exception {
		GatedHandler<Number> gate = new GatedHandler<>((request) -> request);
		Kernel<Number, Number> kernel = define("behind",
				this.options.toBuilder().requestTimeout(Duration.ofMillis(100)).build(), gate);
		start(kernel);
		CompletableFuture<Number> slow = kernel.client().submit(new Number(0), LIMIT);
		CountDownLatch writing = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		CompletableFuture<Void> writer = CompletableFuture
			.runAsync(() -> kernel.client().openInPlace().call((request) -> {
				writing.countDown();
				awaitUninterrupted(release);
			}, (response) -> {
			}), (task) -> new Thread(task).start());
		try {
			assertThat(writing.await(30, TimeUnit.SECONDS)).isTrue();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> slow.get(20, TimeUnit.SECONDS))
				.havingRootCause()
				.isInstanceOf(PositionStuckException.class)
				.withMessageContaining("Position 1");
			Awaitility.await().atMost(LIMIT).until(() -> kernel.state() == KernelState.FAILED);
		}
		finally {
			release.countDown();
			gate.allowAll();
		}
		Awaitility.await().atMost(LIMIT).until(writer::isDone);
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Blocks when it is written, if its value is 0. */
	record Blocking(long value, @Capacity(LARGE) byte[] bytes) {

		private static final CountDownLatch WRITING = new CountDownLatch(2);

		private static final CountDownLatch RELEASE = new CountDownLatch(1);

		@Override
		public byte[] bytes() {
			if (this.value == 0) {
				WRITING.countDown();
				if (WRITING.getCount() == 0) {
					awaitUninterrupted(RELEASE);
				}
			}
			return this.bytes;
		}

	}

	@Test
	void callersThatRunOutOfStackLeakNoSlotAndHoldNobodyUp() {
		Kernel<Number, Number> kernel = define("deep", this.options, (request) -> request);
		start(kernel);
		for (int round = 0; round < 30; round++) {
			int seed = round;
			Thread deep = new Thread(null, () -> descend(kernel, seed), "deep", 256 << 10);
			deep.start();
			Awaitility.await().atMost(LIMIT).until(() -> !deep.isAlive());
			// A caller that failed in its wait has left its request to the dispatcher.
			Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
			assertThat(kernel.client().submit(new Number(round), LIMIT)).succeedsWithin(LIMIT);
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		for (int i = 0; i < 10 * SLOTS; i++) {
			assertThat(kernel.client().call(new Number(i), LIMIT)).isEqualTo(new Number(i));
		}
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	/**
	 * Goes down until the stack is used up, and calls the kernel from each of the last
	 * frames on the way up.
	 */
	private static int descend(Kernel<Number, Number> kernel, int seed) {
		int left;
		try {
			left = descend(kernel, seed + 1);
		}
		catch (StackOverflowError ex) {
			left = 60;
		}
		if (left > 0) {
			try {
				if (seed % 2 == 0) {
					kernel.client().call(new Number(seed));
				}
				else {
					kernel.client().submit(new Number(seed)).join();
				}
			}
			catch (Throwable ex) {
				return left - 1;
			}
		}
		return left - 1;
	}

	/**
	 * Apart, claim and wait take at least seven quarters of the timeout. A loaded machine
	 * may take as long for what takes one timeout, but not each time.
	 */
	@Test
	void claimAndWaitShareOneTimeout() {
		Duration timeout = Duration.ofSeconds(2);
		int attempt = 0;
		Duration taken;
		do {
			taken = timeToGiveUpBehindALateClaim("late-" + attempt, timeout);
			attempt++;
		}
		while (attempt < 5 && taken.compareTo(timeout.multipliedBy(3).dividedBy(2)) > 0);
		assertThat(taken).isLessThan(timeout.multipliedBy(3).dividedBy(2));
	}

	private Duration timeToGiveUpBehindALateClaim(String id, Duration timeout) {
		GatedHandler<Number> gate = new GatedHandler<>((request) -> request);
		Kernel<Number, Number> kernel = define(id,
				this.options.toBuilder().workers(1).backpressure(Backpressure.BLOCK).build(), gate);
		start(kernel);
		for (int i = 0; i < SLOTS; i++) {
			kernel.client().submit(new Number(i), LIMIT);
		}
		CompletableFuture<Void> opener = CompletableFuture.runAsync(() -> gate.allow(1),
				CompletableFuture.delayedExecutor(timeout.toMillis() * 3 / 4, TimeUnit.MILLISECONDS));
		long begun = System.nanoTime();
		assertThatExceptionOfType(RequestTimeoutException.class)
			.isThrownBy(() -> kernel.client().call(new Number(9), timeout));
		Duration taken = Duration.ofNanos(System.nanoTime() - begun);
		assertThat(opener).succeedsWithin(LIMIT);
		gate.allowAll();
		return taken;
	}

	@Test
	void aBatchReportsTheFirstOfItsFailures() {
		Kernel<Number, Number> kernel = define("batch",
				this.options.toBuilder().backpressure(Backpressure.BLOCK).build(), (request) -> {
					throw new IllegalArgumentException("number " + request.value());
				});
		start(kernel);
		List<Number> requests = new ArrayList<>(List.of(new Number(1), new Number(2)));
		requests.add(null);
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().callAll(requests))
			.withMessageContaining("number 1");
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
	}

	/** The responses to the first requests are taken before the last ones are sent. */
	@Test
	void aBatchOfMoreRequestsThanSlotsReportsTheFirstOfItsFailures() {
		Kernel<Number, Number> kernel = define("long-batch",
				this.options.toBuilder().backpressure(Backpressure.BLOCK).build(), (request) -> {
					throw new IllegalArgumentException("number " + request.value());
				});
		start(kernel);
		List<Number> requests = LongStream.range(0, 3 * SLOTS).mapToObj(Number::new).toList();
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().callAll(requests))
			.withMessageContaining("number 0");
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
	}

}
