package io.ringkernel.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.KernelState;
import io.ringkernel.conformance.TestKernels.Counted;
import io.ringkernel.conformance.TestKernels.Counter;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Launch, pause, termination and relaunch, idle and under load.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class LifecycleConformance {

	@RegisterExtension
	final ConformanceFixture fixture;

	LifecycleConformance(ConformanceFixture fixture) {
		this.fixture = fixture;
	}

	private static void verifyRefused(Kernel<Echo, Echo> kernel, KernelState state) {
		assertThat(kernel.state()).isEqualTo(state);
		assertThatExceptionOfType(KernelNotActiveException.class).isThrownBy(() -> kernel.client().call(Echo.of(1, 1)))
			.withMessageContaining("echo")
			.withMessageContaining(state.name())
			.satisfies((ex) -> assertThat(ex.state()).isEqualTo(state));
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> kernel.client().submit(Echo.of(1, 1)));
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> kernel.client().callAll(List.of(Echo.of(1, 1))));
	}

	@Test
	void onlyAnActiveKernelTakesRequests() {
		Kernel<Echo, Echo> kernel = this.fixture.runtime()
			.define(this.fixture.kernels().echo(ConformanceFixture.OPTIONS));
		verifyRefused(kernel, KernelState.CREATED);
		kernel.launch();
		verifyRefused(kernel, KernelState.LAUNCHED);
		kernel.activate();
		assertThat(kernel.client().call(Echo.of(1, 1))).isEqualTo(Echo.of(1, 1));
		kernel.deactivate();
		verifyRefused(kernel, KernelState.INACTIVE);
		kernel.activate();
		assertThat(kernel.client().call(Echo.of(1, 2))).isEqualTo(Echo.of(1, 2));
		kernel.terminate();
		verifyRefused(kernel, KernelState.TERMINATED);
	}

	@Test
	void whatIsQueuedWhenAKernelIsPausedIsAnsweredOnceItIsActiveAgain() {
		Kernel<Slow, Slow> kernel = this.fixture.activate(ConformanceFixture.withSlots(16,
				this.fixture.kernels().slow(ConformanceFixture.OPTIONS.toBuilder().workers(1).build())));
		List<CompletableFuture<Slow>> replies = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			replies.add(kernel.client().submit(new Slow(0, i, (i == 0) ? 200_000 : 0)));
		}
		kernel.deactivate();
		assertThat(replies.subList(1, 16)).noneMatch(CompletableFuture::isDone);
		assertThat(kernel.status().inFlight()).isGreaterThanOrEqualTo(15);
		kernel.activate();
		for (int i = 0; i < 16; i++) {
			assertThat(replies.get(i)).succeedsWithin(ConformanceFixture.LIMIT)
				.isEqualTo(new Slow(0, i, (i == 0) ? 200_000 : 0));
		}
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(16));
	}

	@Test
	void pausesUnderLoadLoseAndRepeatNothing() throws InterruptedException {
		Kernel<Counter, Counted> kernel = this.fixture.activate(ConformanceFixture.withSlots(8,
				this.fixture.kernels().counter(ConformanceFixture.OPTIONS.toBuilder().workers(1).build())));
		AtomicBoolean done = new AtomicBoolean();
		AtomicInteger answered = new AtomicInteger();
		Set<Long> orders = new HashSet<>();
		Concurrently.Running callers = Concurrently.start(4, (producer) -> {
			for (int sequence = 0; !done.get(); sequence++) {
				try {
					Counted counted = kernel.client().call(new Counter(producer, sequence));
					assertThat(counted.sequence()).isEqualTo(sequence);
					synchronized (orders) {
						assertThat(orders.add(counted.order())).isTrue();
					}
					answered.incrementAndGet();
				}
				catch (KernelNotActiveException ex) {
					assertThat(ex.state()).isEqualTo(KernelState.INACTIVE);
				}
			}
		});
		for (int i = 0; i < 100; i++) {
			int before = answered.get();
			ConformanceFixture.await().until(() -> answered.get() > before);
			kernel.deactivate();
			kernel.activate();
		}
		done.set(true);
		callers.join(ConformanceFixture.LIMIT);
		ConformanceFixture.await()
			.untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(answered.get()));
		assertThat(orders).hasSize(answered.get());
	}

	@RepeatedTest(10)
	void terminationUnderLoadLeavesNobodyWaiting() throws InterruptedException {
		Kernel<Slow, Slow> kernel = this.fixture.activate(ConformanceFixture.withSlots(8, this.fixture.kernels()
			.slow(ConformanceFixture.OPTIONS.toBuilder().drainTimeout(Duration.ZERO).build())));
		CountDownLatch running = new CountDownLatch(100);
		Concurrently.Running callers = Concurrently.start(16, (producer) -> {
			for (int sequence = 0;; sequence++) {
				Slow request = new Slow(producer, sequence, (sequence % 16 == 0) ? 200 : 0);
				try {
					Slow reply = (producer % 2 == 0) ? kernel.client().call(request)
							: kernel.client().submit(request).join();
					assertThat(reply).isEqualTo(request);
					running.countDown();
				}
				catch (KernelNotActiveException | KernelTerminatedException ex) {
					return;
				}
				catch (CompletionException ex) {
					assertThat(ex).hasCauseInstanceOf(KernelTerminatedException.class);
					return;
				}
			}
		});
		running.await();
		kernel.terminate();
		callers.join(ConformanceFixture.LIMIT);
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		assertThat(kernel.status().inFlight()).isZero();
		assertThat(kernel.status().activeWorkers()).isZero();
	}

	@Test
	void terminationWaitsForWhatIsInFlight() throws InterruptedException {
		Kernel<Slow, Slow> kernel = this.fixture.activate(ConformanceFixture.withSlots(8,
				this.fixture.kernels().slow(ConformanceFixture.OPTIONS.toBuilder().workers(1).build())));
		List<CompletableFuture<Slow>> replies = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			replies.add(kernel.client().submit(new Slow(0, i, 10_000)));
		}
		kernel.terminate();
		assertThat(replies).allSatisfy((reply) -> assertThat(reply).succeedsWithin(Duration.ZERO));
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(8));
	}

	@Test
	void whatIsQueuedWhenAPausedKernelIsTerminatedFails() {
		Kernel<Slow, Slow> kernel = this.fixture.activate(ConformanceFixture.withSlots(8,
				this.fixture.kernels().slow(ConformanceFixture.OPTIONS.toBuilder().workers(1).build())));
		List<CompletableFuture<Slow>> replies = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			replies.add(kernel.client().submit(new Slow(0, i, (i == 0) ? 100_000 : 0)));
		}
		kernel.deactivate();
		kernel.terminate();
		assertThat(replies.subList(1, 8)).allSatisfy((reply) -> assertThat(reply).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(KernelTerminatedException.class));
	}

	@Test
	void aTerminatedKernelIsLaunchedAnew() {
		Kernel<Echo, Echo> kernel = this.fixture.activate(this.fixture.kernels().echo(ConformanceFixture.OPTIONS));
		for (int launch = 0; launch < 10; launch++) {
			for (int i = 0; i < 100; i++) {
				assertThat(kernel.client().call(Echo.of(launch, i))).isEqualTo(Echo.of(launch, i));
			}
			if (launch % 2 == 0) {
				kernel.relaunch();
			}
			else {
				kernel.terminate();
				kernel.launch();
				kernel.activate();
			}
		}
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(1_000));
	}

	@Test
	void relaunchesUnderLoadAnswerOrRefuseEveryCall() throws InterruptedException {
		Kernel<Echo, Echo> kernel = this.fixture
			.activate(ConformanceFixture.withSlots(8, this.fixture.kernels().echo(ConformanceFixture.OPTIONS)));
		AtomicBoolean done = new AtomicBoolean();
		AtomicInteger answered = new AtomicInteger();
		Concurrently.Running callers = Concurrently.start(8, (producer) -> {
			for (int sequence = 0; !done.get(); sequence++) {
				try {
					assertThat(kernel.client().call(Echo.of(producer, sequence)))
						.isEqualTo(Echo.of(producer, sequence));
					answered.incrementAndGet();
				}
				catch (KernelNotActiveException ex) {
					assertThat(ex.state()).isNotEqualTo(KernelState.ACTIVE);
				}
				catch (RingKernelException ex) {
					assertThat(ex).isInstanceOf(KernelTerminatedException.class);
				}
			}
		});
		for (int i = 0; i < 30; i++) {
			int before = answered.get();
			ConformanceFixture.await().until(() -> answered.get() > before);
			kernel.relaunch();
		}
		done.set(true);
		callers.join(ConformanceFixture.LIMIT);
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
	}

	@Test
	void noWakeupIsLostWhileTheLoopComesAndGoes() throws InterruptedException {
		Kernel<Echo, Echo> kernel = this.fixture.activate(ConformanceFixture.withSlots(8,
				this.fixture.kernels().echo(ConformanceFixture.OPTIONS.toBuilder().idleBudget(Duration.ZERO).build())));
		int each = ConformanceFixture.many(80_000);
		Concurrently.run(3, Duration.ofSeconds(60), (producer) -> {
			SplittableRandom random = new SplittableRandom(producer);
			for (int sequence = 0; sequence < each; sequence++) {
				int spins = random.nextInt(400);
				for (int i = 0; i < spins; i++) {
					Thread.onSpinWait();
				}
				assertThat(kernel.client().call(Echo.of(producer, sequence))).isEqualTo(Echo.of(producer, sequence));
			}
		});
		assertThat(kernel.status().timedOut()).isZero();
	}

}
