package io.ringkernel.spring.reactive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.GatedHandler;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ReactiveRingKernelClient}.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReactiveRingKernelClientTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final int WINDOW = 8;

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private final GatedHandler<Number> gate = new GatedHandler<>(ReactiveRingKernelClientTests::answer);

	private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

	@BeforeEach
	void noteWhatIsDropped() {
		Hooks.onErrorDropped(this.dropped::add);
	}

	@AfterEach
	void nothingIsDropped() {
		this.gate.allowAll();
		this.runtime.close();
		Hooks.resetOnErrorDropped();
		assertThat(this.dropped).isEmpty();
	}

	private Kernel<Number, Number> start(Backpressure backpressure) {
		Kernel<Number, Number> kernel = this.runtime
			.define(KernelSpec.of("gated", Number.class, Number.class, this.gate,
					KernelOptions.builder()
						.workers(2)
						.requestTimeout(LIMIT)
						.backpressure(backpressure)
						.drainTimeout(Duration.ZERO)
						.build()));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static Number answer(Number request) {
		if (request.value() < 0) {
			throw new IllegalArgumentException("negative");
		}
		return new Number(request.value() * 2);
	}

	private static ReactiveRingKernelClient<Number, Number> reactive(Kernel<Number, Number> kernel) {
		return ReactiveRingKernelClient.of(kernel.client()).withInFlight(WINDOW);
	}

	private static List<CompletableFuture<Number>> fill(Kernel<Number, Number> kernel) {
		List<CompletableFuture<Number>> sent = new ArrayList<>();
		for (int i = 0; i < kernel.status().slots(); i++) {
			sent.add(kernel.client().submit(new Number(i)));
		}
		return sent;
	}

	private static Flux<Number> numbers(int count) {
		return Flux.range(0, count).map(Number::new);
	}

	@Test
	void eachSubscriptionSendsTheRequestAnew() {
		this.gate.allow(2);
		Mono<Number> call = reactive(start(Backpressure.BLOCK)).call(new Number(3));
		assertThat(this.gate.begun()).isEqualTo(0);
		StepVerifier.create(call).expectNext(new Number(6)).expectComplete().verify(LIMIT);
		StepVerifier.create(call).expectNext(new Number(6)).expectComplete().verify(LIMIT);
		assertThat(this.gate.begun()).isEqualTo(2);
	}

	@Test
	void aFailureIsSignalled() {
		this.gate.allow(1);
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		StepVerifier.create(reactive(kernel).call(new Number(-1)))
			.expectError(HandlerFailedException.class)
			.verify(LIMIT);
		StepVerifier.create(reactive(kernel).withTimeout(Duration.ofMillis(20)).call(new Number(1)))
			.expectError(RequestTimeoutException.class)
			.verify(LIMIT);
		this.gate.allow(1);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		kernel.deactivate();
		StepVerifier.create(reactive(kernel).call(new Number(1)))
			.expectError(KernelNotActiveException.class)
			.verify(LIMIT);
	}

	@Test
	void cancellingACallGivesItsSlotBack() {
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		List<Disposable> calls = numbers(5).map((number) -> reactive(kernel).call(number).subscribe())
			.collectList()
			.block(LIMIT);
		Awaitility.await().atMost(LIMIT).until(() -> this.gate.begun() == 2 && kernel.status().inFlight() == 5);
		calls.forEach(Disposable::dispose);
		this.gate.allow(5);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		assertThat(kernel.status().timedOut()).isZero();
	}

	@Test
	void aFullRingBlocksNoThreadThatMustNotBlock() {
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		List<CompletableFuture<Number>> filling = fill(kernel);
		Mono<Number> call = reactive(kernel).call(new Number(21)).subscribeOn(Schedulers.parallel());
		CompletableFuture<Number> response = call.toFuture();
		AtomicInteger meanwhile = new AtomicInteger();
		Flux.range(0, 100)
			.publishOn(Schedulers.parallel())
			.doOnNext((i) -> meanwhile.incrementAndGet())
			.blockLast(LIMIT);
		assertThat(meanwhile).hasValue(100);
		assertThat(response).isNotDone();
		this.gate.allow(filling.size() + 1);
		assertThat(response.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(new Number(42));
		assertThat(kernel.status().rejected()).isZero();
	}

	@Test
	void aFullRingThatStaysFullIsSignalledAndCounted() {
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		fill(kernel);
		StepVerifier.create(reactive(kernel).withTimeout(Duration.ofMillis(50)).call(new Number(1)))
			.expectError(RingFullException.class)
			.verify(LIMIT);
		assertThat(kernel.status().rejected()).isEqualTo(1);
	}

	@Test
	void aKernelThatRejectsWhenFullDoesSoAtOnce() {
		Kernel<Number, Number> kernel = start(Backpressure.REJECT);
		fill(kernel);
		StepVerifier.create(reactive(kernel).call(new Number(1))).expectError(RingFullException.class).verify(LIMIT);
		assertThat(kernel.status().rejected()).isEqualTo(1);
	}

	@Test
	void cancellingACallThatWaitsForASlotSendsNothing() {
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		List<CompletableFuture<Number>> filling = fill(kernel);
		AtomicInteger waiting = new AtomicInteger();
		Disposable call = reactive(kernel).call(new Number(1)).subscribe((number) -> waiting.incrementAndGet());
		Awaitility.await().atMost(LIMIT).until(ReactiveRingKernelClientTests::isSomebodyWaitingForASlot);
		call.dispose();
		Awaitility.await().atMost(LIMIT).until(() -> !isSomebodyWaitingForASlot());
		this.gate.allow(filling.size());
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		assertThat(this.gate.begun()).isEqualTo(filling.size());
		assertThat(waiting).hasValue(0);
	}

	private static boolean isSomebodyWaitingForASlot() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.anyMatch((thread) -> thread.getKey().getName().startsWith("boundedElastic")
					&& List.of(thread.getValue()).toString().contains("ContendedClaims"));
	}

	@Test
	void aStreamKeepsTheOrderOfItsRequests() {
		this.gate.allow(10_000);
		StepVerifier
			.create(reactive(start(Backpressure.BLOCK)).stream(numbers(10_000)).map(Number::value).collectList())
			.assertNext((responses) -> assertThat(responses)
				.isEqualTo(Flux.range(0, 10_000).map((i) -> 2 * i).collectList().block()))
			.expectComplete()
			.verify(LIMIT);
	}

	@Test
	void aStreamHasNoMoreInFlightThanItMay() {
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		AtomicLong asked = new AtomicLong();
		AtomicLong received = new AtomicLong();
		AtomicLong ahead = new AtomicLong();
		CompletableFuture<Long> responses = reactive(kernel)
			.stream(numbers(1000)
				.doOnRequest((count) -> ahead.accumulateAndGet(asked.addAndGet(count) - received.get(), Math::max)))
			.doOnNext((number) -> received.incrementAndGet())
			.count()
			.toFuture();
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == WINDOW);
		assertThat(asked).hasValue(WINDOW);
		this.gate.allow(1000);
		assertThat(responses.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(1000);
		assertThat(ahead).hasValue(WINDOW);
	}

	@Test
	void aStreamAsksForNoMoreThanIsConsumed() {
		this.gate.allow(1000);
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		AtomicLong asked = new AtomicLong();
		Flux<Number> stream = reactive(kernel).stream(numbers(1000).doOnRequest(asked::addAndGet));
		StepVerifier.create(stream, 0)
			.thenAwait(Duration.ofMillis(1))
			.then(() -> Awaitility.await().atMost(LIMIT).until(() -> kernel.status().processed() == WINDOW))
			.then(() -> assertThat(asked).hasValue(WINDOW))
			.thenRequest(5)
			.expectNextCount(5)
			.then(() -> Awaitility.await().atMost(LIMIT).until(() -> kernel.status().processed() == WINDOW + 5))
			.then(() -> assertThat(asked).hasValue(WINDOW + 5))
			.thenCancel()
			.verify(LIMIT);
	}

	@Test
	void cancellingAStreamWithdrawsWhatIsInFlight() {
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		AtomicInteger cancelled = new AtomicInteger();
		Disposable stream = reactive(kernel).stream(numbers(1000).doOnCancel(cancelled::incrementAndGet)).subscribe();
		Awaitility.await().atMost(LIMIT).until(() -> this.gate.begun() == 2 && kernel.status().inFlight() == WINDOW);
		stream.dispose();
		this.gate.allow(1000);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		assertThat(this.gate.begun()).isLessThanOrEqualTo(WINDOW);
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void aStreamEndsWithTheFirstFailure() {
		this.gate.allow(1000);
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		StepVerifier.create(reactive(kernel).stream(Flux.just(1, 2, -3, 4).map(Number::new)))
			.expectNext(new Number(2), new Number(4))
			.expectError(HandlerFailedException.class)
			.verify(LIMIT);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
	}

	@Test
	void aFailureDoesNotOvertakeTheResponsesToEarlierRequests() {
		this.gate.allow(1000);
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		StepVerifier.create(reactive(kernel).stream(Flux.just(1, 2, -3, 4).map(Number::new)), 0)
			.then(() -> Awaitility.await()
				.atMost(LIMIT)
				.until(() -> this.gate.begun() == 4 && kernel.status().inFlight() == 0))
			.thenRequest(4)
			.expectNext(new Number(2), new Number(4))
			.expectError(HandlerFailedException.class)
			.verify(LIMIT);
	}

	@Test
	void aWindowLargerThanTheRingIsBoundedByTheRing() {
		this.gate.allow(10_000);
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		int window = kernel.status().slots() + 16;
		StepVerifier
			.create(ReactiveRingKernelClient.of(kernel.client()).withInFlight(window).stream(numbers(10_000)).count())
			.expectNext(10_000L)
			.expectComplete()
			.verify(LIMIT);
	}

	@Test
	void aWindowThatIsNotPositiveIsRefused() {
		Kernel<Number, Number> kernel = start(Backpressure.BLOCK);
		assertThatIllegalArgumentException().isThrownBy(() -> reactive(kernel).withInFlight(0))
			.withMessage("inFlight = 0 is not positive. Pass, say, 32.");
	}

}
