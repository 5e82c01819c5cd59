package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.platform.PlanRequest;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Requests that do not wait, that nobody waits for, and that yield to others.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelClientTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final int WORKERS = 2;

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private final GatedHandler<Number> gate = new GatedHandler<>(KernelClientTests::answer);

	record Number(int value) {
	}

	@AfterEach
	void closeRuntime() {
		this.gate.allowAll();
		this.runtime.close();
	}

	private Kernel<Number, Number> start(KernelOptions options) {
		Kernel<Number, Number> kernel = this.runtime
			.define(KernelSpec.of("gated", Number.class, Number.class, this.gate, options));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static Number answer(Number request) {
		if (request.value() < 0) {
			throw new IllegalArgumentException("negative");
		}
		return request;
	}

	private static KernelOptions options(Backpressure backpressure) {
		return KernelOptions.builder()
			.workers(WORKERS)
			.requestTimeout(LIMIT)
			.backpressure(backpressure)
			.drainTimeout(Duration.ZERO)
			.build();
	}

	private static List<CompletableFuture<Number>> fill(Kernel<Number, Number> kernel) {
		List<CompletableFuture<Number>> sent = new ArrayList<>();
		for (int i = kernel.status().inFlight(); i < kernel.status().slots(); i++) {
			sent.add(kernel.client().submit(new Number(i)));
		}
		return sent;
	}

	private static Number get(CompletableFuture<Number> future) {
		return future.orTimeout(30, TimeUnit.SECONDS).join();
	}

	@Test
	void aRequestThatIsNullIsRefusedBeforeAnythingIsSent() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		RingKernelClient<Number, Number> client = kernel.client();
		for (ThrowingCallable call : List.<ThrowingCallable>of(() -> client.call(null), () -> client.submit(null),
				() -> client.trySubmit(null), () -> client.send(null),
				() -> client.callAll(Collections.singletonList(null)))) {
			assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(call)
				.withMessage("Number is null: pass a request to ring kernel 'gated'");
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aRequestThatMayNotWaitIsNotSentIntoAFullRing() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		List<CompletableFuture<Number>> sent = fill(kernel);
		assertThat(kernel.client().trySubmit(new Number(1))).isEmpty();
		assertThat(kernel.client().trySubmit(new Number(1), LIMIT)).isEmpty();
		assertThat(kernel.status().rejected()).isZero();
		this.gate.allow(1);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() < kernel.status().slots());
		this.gate.allow(sent.size());
		Optional<CompletableFuture<Number>> late = kernel.client().trySubmit(new Number(1000));
		assertThat(late).isPresent();
		assertThat(get(late.get())).isEqualTo(new Number(1000));
		assertThat(sent).allSatisfy((future) -> get(future));
	}

	@Test
	void aRequestThatMayNotWaitFailsAsOthersDoWhereTheKernelIsNotActive() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		kernel.deactivate();
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> kernel.client().trySubmit(new Number(1)));
	}

	@Test
	void aRequestOneWayIsHandledAndItsSlotGivenBack() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		kernel.client().send(new Number(1));
		Awaitility.await().atMost(LIMIT).until(() -> this.gate.begun() == 1);
		this.gate.allow(1);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		assertThat(kernel.status().processed()).isEqualTo(1);
	}

	@Test
	void aRequestOneWayThatFailsIsCountedAndLogged() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		Logger logger = (Logger) LoggerFactory.getLogger("io.ringkernel.session.OneWayFailures");
		logger.addAppender(log);
		try {
			this.gate.allow(1);
			kernel.client().send(new Number(-1));
			Awaitility.await().atMost(LIMIT).until(() -> !List.copyOf(log.list).isEmpty());
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(kernel.status().failed()).isEqualTo(1);
		assertThat(log.list).singleElement().satisfies((event) -> {
			assertThat(event.getFormattedMessage())
				.isEqualTo("A one-way request to ring kernel 'gated' failed; 1 of them have failed by now");
			assertThat(event.getThrowableProxy().getClassName()).isEqualTo(HandlerFailedException.class.getName());
		});
	}

	@Test
	void aRequestOneWayIsRefusedWhereTheRingIsFull() {
		Kernel<Number, Number> kernel = start(options(Backpressure.REJECT));
		fill(kernel);
		assertThatExceptionOfType(RingFullException.class).isThrownBy(() -> kernel.client().send(new Number(1)));
	}

	@Test
	void backgroundRequestsTakeNoMoreSlotsThanThereAreWorkers() {
		Kernel<Number, Number> kernel = start(options(Backpressure.REJECT));
		RingKernelClient<Number, Number> background = kernel.client().withPriority(RequestPriority.BACKGROUND);
		assertThat(background.kernelId()).isEqualTo("gated");
		CompletableFuture<Number> first = background.submit(new Number(1));
		CompletableFuture<Number> second = background.submit(new Number(2));
		assertThatExceptionOfType(RingFullException.class).isThrownBy(() -> background.submit(new Number(3)));
		assertThatExceptionOfType(RingFullException.class).isThrownBy(() -> background.call(new Number(3)));
		assertThat(background.trySubmit(new Number(3))).isEmpty();
		CompletableFuture<Number> normal = kernel.client().submit(new Number(4));
		assertThat(kernel.status().inFlight()).isEqualTo(WORKERS + 1);
		this.gate.allow(3);
		assertThat(List.of(get(first), get(second), get(normal))).containsExactly(new Number(1), new Number(2),
				new Number(4));
	}

	@Test
	void backgroundRequestsWaitUntilAWorkerWouldBeFree() throws InterruptedException {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		RingKernelClient<Number, Number> background = kernel.client().withPriority(RequestPriority.BACKGROUND);
		List<CompletableFuture<Number>> normal = fill(kernel);
		CompletableFuture<Number> answered = new CompletableFuture<>();
		Thread caller = new Thread(() -> answered.complete(background.call(new Number(7))));
		caller.start();
		int answers = normal.size() - WORKERS;
		this.gate.allow(answers);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().processed() == answers);
		Awaitility.await()
			.during(Duration.ofMillis(50))
			.atMost(LIMIT)
			.until(() -> kernel.status().inFlight() == WORKERS);
		this.gate.allow(1);
		Awaitility.await().atMost(LIMIT).until(() -> this.gate.begun() == normal.size() + 1);
		this.gate.allow(WORKERS);
		assertThat(get(answered)).isEqualTo(new Number(7));
		caller.join(30_000);
	}

	@Test
	void backgroundRequestsGiveUpAtTheirDeadline() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		kernel.client().submit(new Number(1));
		kernel.client().submit(new Number(2));
		assertThatExceptionOfType(RingFullException.class).isThrownBy(() -> kernel.client()
			.withPriority(RequestPriority.BACKGROUND)
			.call(new Number(3), Duration.ofMillis(20)));
		assertThat(kernel.status().rejected()).isEqualTo(1);
	}

	@Test
	void aRequestThatWaitsForASlotAsTheKernelEndsWasNotSent() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK).toBuilder()
			.drainTimeout(Duration.ofMillis(1))
			.stopTimeout(Duration.ofMillis(100))
			.build());
		while (kernel.client().trySubmit(new Number(1)).isPresent()) {
			assertThat(kernel.status().inFlight()).isPositive();
		}
		FutureTask<Number> call = new FutureTask<>(() -> kernel.client().call(new Number(2)));
		Thread caller = new Thread(call);
		caller.start();
		Awaitility.await().atMost(LIMIT).until(() -> caller.getState() == Thread.State.TIMED_WAITING);
		kernel.terminate();
		assertThat(call).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(KernelNotActiveException.class);
	}

	@Test
	void backgroundRequestsThatWaitFailAsTheKernelEnds() throws InterruptedException {
		Kernel<Number, Number> kernel = start(
				options(Backpressure.BLOCK).toBuilder().stopTimeout(Duration.ofMillis(100)).build());
		kernel.client().submit(new Number(1));
		kernel.client().submit(new Number(2));
		CompletableFuture<Throwable> failure = failureOfBackgroundCall(kernel, new CompletableFuture<>());
		this.gate.allow(WORKERS - 1);
		kernel.terminate();
		assertThat(failure.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOfAny(KernelTerminatedException.class,
				KernelNotActiveException.class);
	}

	@Test
	void backgroundRequestsThatWaitCanBeInterrupted() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		kernel.client().submit(new Number(1));
		kernel.client().submit(new Number(2));
		CompletableFuture<Thread> caller = new CompletableFuture<>();
		CompletableFuture<Throwable> failure = failureOfBackgroundCall(kernel, caller);
		caller.orTimeout(30, TimeUnit.SECONDS).join().interrupt();
		assertThat(failure.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(RequestInterruptedException.class);
	}

	private static CompletableFuture<Throwable> failureOfBackgroundCall(Kernel<Number, Number> kernel,
			CompletableFuture<Thread> caller) {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			caller.complete(Thread.currentThread());
			try {
				kernel.client().withPriority(RequestPriority.BACKGROUND).call(new Number(3));
				failure.complete(new AssertionError("answered"));
			}
			catch (Throwable ex) {
				failure.complete(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
		return failure;
	}

	@Test
	void backgroundRequestsOfManyThreadsTakeNoMoreSlotsThanThereAreWorkers() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		RingKernelClient<Number, Number> background = kernel.client().withPriority(RequestPriority.BACKGROUND);
		for (int round = 0; round < 200; round++) {
			CountDownLatch together = new CountDownLatch(1);
			List<CompletableFuture<Optional<CompletableFuture<Number>>>> attempts = IntStream.range(0, 4)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> {
					await(together);
					return background.trySubmit(new Number(i));
				}, (task) -> new Thread(task).start()))
				.toList();
			together.countDown();
			List<CompletableFuture<Number>> sent = attempts.stream()
				.flatMap((attempt) -> attempt.orTimeout(30, TimeUnit.SECONDS).join().stream())
				.toList();
			assertThat(sent).hasSize(WORKERS);
			this.gate.allow(WORKERS);
			assertThat(sent).allSatisfy((future) -> get(future));
		}
	}

	@Test
	void backgroundCallsInPlaceOfManyThreadsTakeNoMoreSlotsThanThereAreWorkers() throws InterruptedException {
		Kernel<Number, Number> kernel = start(options(Backpressure.REJECT));
		RingKernelClient<Number, Number> background = kernel.client().withPriority(RequestPriority.BACKGROUND);
		for (int round = 0; round < 200; round++) {
			AtomicInteger refused = new AtomicInteger();
			Concurrently.Running callers = Concurrently.start(4, (thread) -> {
				try {
					background.openInPlace().call((request) -> {
					}, (response) -> {
					});
				}
				catch (RingFullException ex) {
					refused.incrementAndGet();
				}
			});
			Awaitility.await()
				.pollInterval(Duration.ofMillis(1))
				.atMost(LIMIT)
				.until(() -> refused.get() + kernel.status().inFlight() == 4);
			assertThat(kernel.status().inFlight()).as("round %d", round).isEqualTo(WORKERS);
			this.gate.allow(WORKERS);
			callers.join(LIMIT);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aBatchInTheBackgroundMayBeLongerThanThereAreWorkers() {
		Kernel<Number, Number> kernel = start(options(Backpressure.REJECT));
		this.gate.allow(10);
		List<Number> requests = IntStream.range(0, 10).mapToObj(Number::new).toList();
		assertThat(kernel.client().withPriority(RequestPriority.BACKGROUND).callAll(requests)).isEqualTo(requests);
	}

	@Test
	void aStreamInTheBackgroundYieldsAsWell() {
		Kernel<Number, Number> kernel = start(options(Backpressure.REJECT));
		try (RequestStream<Number, Number> stream = kernel.client()
			.withPriority(RequestPriority.BACKGROUND)
			.openStream()) {
			stream.send(new Number(1));
			stream.send(new Number(2));
			assertThatThrownBy(() -> stream.send(new Number(3))).isInstanceOf(RingFullException.class);
			this.gate.allow(2);
			assertThat(stream.receive()).isEqualTo(new Number(1));
			assertThat(stream.receive()).isEqualTo(new Number(2));
		}
	}

	@Test
	void aStageOnTheDeliveryThreadMayCallInTheBackground() {
		Kernel<Number, Number> kernel = start(options(Backpressure.BLOCK));
		RingKernelClient<Number, Number> background = kernel.client().withPriority(RequestPriority.BACKGROUND);
		CompletableFuture<Number> other = kernel.client().submit(new Number(1));
		CompletableFuture<Number> chained = kernel.client()
			.submit(new Number(2))
			.thenApply((answer) -> background.call(new Number(answer.value() + 1)));
		this.gate.allow(3);
		assertThat(get(other)).isEqualTo(new Number(1));
		assertThat(get(chained)).isEqualTo(new Number(3));
	}

	@Test
	void normalPriorityIsThatOfTheClientItself() {
		Kernel<Number, Number> kernel = start(options(Backpressure.REJECT));
		RingKernelClient<Number, Number> normal = kernel.client()
			.withPriority(RequestPriority.BACKGROUND)
			.withPriority(RequestPriority.NORMAL);
		List<CompletableFuture<Number>> sent = new ArrayList<>();
		for (int i = 0; i < kernel.status().slots(); i++) {
			sent.add(normal.submit(new Number(i)));
		}
		this.gate.allow(sent.size());
		assertThat(sent).allSatisfy((future) -> get(future));
	}

}
