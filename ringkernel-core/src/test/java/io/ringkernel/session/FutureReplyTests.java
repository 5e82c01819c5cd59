package io.ringkernel.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.GatedHandler;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FutureReplyTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	/** Far less than the requests of these tests may take. */
	private static final Duration SOON = Duration.ofSeconds(5);

	private final GatedHandler<Number> gate = new GatedHandler<>((request) -> request);

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private final Kernel<Number, Number> kernel = this.runtime.define(KernelSpec.of("kernel", Number.class,
			Number.class, this.gate, KernelOptions.builder().workers(1).requestTimeout(LIMIT).build()));

	record Number(long value) {
	}

	@BeforeEach
	void start() {
		this.kernel.launch();
		this.kernel.activate();
	}

	@AfterEach
	void close() {
		this.gate.allowAll();
		this.runtime.close();
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -1, 0, 1 })
	void aWaitThatHasNoTimeEndsAtOnce(long timeout) {
		FutureReply<Number> reply = submit();
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> reply.get(timeout, TimeUnit.NANOSECONDS));
		assertThat(reply.isWaiting()).isTrue();
	}

	@Test
	void aWaitOfAnyLengthEndsWithTheResponse() throws Exception {
		FutureReply<Number> reply = submit();
		this.gate.allowAll();
		assertThat(reply.get(Long.MAX_VALUE, TimeUnit.DAYS)).isEqualTo(new Number(1));
	}

	/**
	 * Another thread begins and ends waits all the time, so that the request is in its
	 * hands and in those of the dispatcher in turn. None is answered: each has a slot.
	 */
	@Test
	void aRequestIsWithdrawnWhoeverWaitsForItMeanwhile() throws Exception {
		int rounds = this.kernel.status().slots() / 2;
		SynchronousQueue<FutureReply<Number>> replies = new SynchronousQueue<>();
		SynchronousQueue<FutureReply<Number>> cancelled = new SynchronousQueue<>();
		Concurrently.Running waiter = Concurrently.start(1, (thread) -> {
			for (int round = 0; round < rounds; round++) {
				FutureReply<Number> reply = replies.take();
				waitUntilCancelled(reply);
				cancelled.put(reply);
			}
		});
		for (int round = 0; round < rounds; round++) {
			FutureReply<Number> reply = submit();
			replies.put(reply);
			while (!reply.isServed()) {
				Thread.onSpinWait();
			}
			reply.cancel(true);
			cancelled.take();
			assertThat(reply.isWaiting() || reply.isServed()).as("round %d of %d", round, rounds).isFalse();
		}
		waiter.join(LIMIT);
	}

	@Test
	void aWaitEndsAsTheFutureIsCompletedByOthers() throws InterruptedException {
		FutureReply<Number> reply = submit();
		Concurrently.Running waiter = Concurrently.start(1,
				(thread) -> assertThat(reply.join()).isEqualTo(new Number(9)));
		while (!reply.isServed()) {
			Thread.onSpinWait();
		}
		reply.complete(new Number(9));
		waiter.join(SOON);
		assertThat(reply.isWaiting()).isTrue();
	}

	@Test
	void aWaitEndsAtATimeoutThatTheFutureWasGiven() throws InterruptedException {
		CompletableFuture<Number> reply = submit().orTimeout(50, TimeUnit.MILLISECONDS);
		Concurrently
			.start(1,
					(thread) -> assertThatExceptionOfType(CompletionException.class).isThrownBy(reply::join)
						.withCauseInstanceOf(TimeoutException.class))
			.join(SOON);
	}

	@Test
	void stagesOfAFutureAreOrdinaryFutures() {
		CompletableFuture<Number> stage = submit().thenApply((response) -> response);
		this.gate.allowAll();
		assertThat(stage).isExactlyInstanceOf(CompletableFuture.class).succeedsWithin(LIMIT);
	}

	private static void waitUntilCancelled(FutureReply<Number> reply) throws Exception {
		while (true) {
			try {
				reply.get(1, TimeUnit.NANOSECONDS);
			}
			catch (CancellationException ex) {
				return;
			}
			catch (TimeoutException ex) {
				Thread.onSpinWait();
			}
		}
	}

	private FutureReply<Number> submit() {
		return (FutureReply<Number>) this.kernel.client().submit(new Number(1));
	}

}
