package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.KernelState;
import io.ringkernel.TestShare;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.EndableLoop;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kernels under load whose loops are handed over again and again.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class HandOverForceTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	/** Either mode hands over to the other one. */
	private static final int HAND_OVERS = Math.max(2, TestShare.of(240));

	private static final int CALLERS = 8;

	private final EndlessPlans plans = new EndlessPlans();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicBoolean done = new AtomicBoolean();

	record Number(long value) {
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4, 16 })
	void everyRequestIsAnsweredOnceAndEverySlotComesBack(int slots) throws Exception {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(this.plans, new CpuBackendProvider()))) {
			Kernel<Number, Number> kernel = runtime.define(spec(slots));
			kernel.launch();
			kernel.activate();
			assertThat(kernel.status().slots()).isEqualTo(slots);
			Concurrently.Running callers = Concurrently.start(CALLERS, (caller) -> call(kernel, caller));
			for (int i = 0; i < HAND_OVERS; i++) {
				EndableLoop loop = this.plans.awaitLoop();
				awaitMore(100);
				this.plans.exhausted = i == HAND_OVERS - 1;
				loop.end(new PlanFailedException("numbers", "a test has ended it", null));
			}
			Awaitility.await().atMost(LIMIT).until(() -> kernel.plan().backend() == BackendKind.CPU);
			awaitMore(100);
			this.done.set(true);
			callers.join(LIMIT);
			Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
			assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
			assertThat(kernel.dump()).hasValueSatisfying((dump) -> assertThat(dump.ring().slots()).hasSize(slots));
			kernel.terminate();
			assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		}
	}

	/**
	 * Calls in every way, and gives some requests up.
	 */
	private void call(Kernel<Number, Number> kernel, int caller) {
		SplittableRandom random = new SplittableRandom(caller);
		for (long sequence = 0; !this.done.get(); sequence++) {
			Number request = new Number(caller * 1_000_000_000L + sequence);
			switch (random.nextInt(8)) {
				case 0 -> assertThat(kernel.client().submit(request, LIMIT).join()).isEqualTo(twice(request));
				case 1 -> {
					CompletableFuture<Number> cancelled = kernel.client().submit(request, LIMIT);
					cancelled.cancel(true);
				}
				case 2 -> callShortly(kernel, request);
				default -> assertThat(kernel.client().call(request, LIMIT)).isEqualTo(twice(request));
			}
			this.answered.incrementAndGet();
		}
	}

	private static void callShortly(Kernel<Number, Number> kernel, Number request) {
		try {
			assertThat(kernel.client().call(request, Duration.ofNanos(20_000))).isEqualTo(twice(request));
		}
		catch (RequestTimeoutException | RingFullException ex) {
			assertThat(ex).hasMessageContaining("numbers");
		}
	}

	private static Number twice(Number request) {
		return new Number(2 * request.value());
	}

	private void awaitMore(int requests) {
		long before = this.answered.get();
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.atMost(LIMIT)
			.until(() -> this.answered.get() - before > requests);
	}

	private static KernelSpec<Number, Number> spec(int slots) {
		MessageLayout<Number> layout = MessageLayout.of(Number.class);
		long bytes = RingLayout.totalBytes(slots, layout.maxSize(), layout.maxSize());
		KernelOptions options = KernelOptions.builder().workers(2).requestTimeout(LIMIT).ringMemory(bytes).build();
		return new KernelSpec<>("numbers", layout, layout, HandOverForceTests::twice, "played", options);
	}

}
