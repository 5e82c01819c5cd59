package io.ringkernel.conformance;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.RingKernelClient;
import io.ringkernel.conformance.TestKernels.Counted;
import io.ringkernel.conformance.TestKernels.Counter;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.conformance.TestKernels.Failing;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whoever calls, and however many at once: nothing is lost, duplicated, corrupted or held
 * up by others.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ConcurrencyConformance {

	private static final int MILLION = 1_000_000;

	@RegisterExtension
	final ConformanceFixture fixture;

	ConcurrencyConformance(ConformanceFixture fixture) {
		this.fixture = fixture;
	}

	private Kernel<Echo, Echo> echo(int slots) {
		return this.fixture
			.activate(ConformanceFixture.withSlots(slots, this.fixture.kernels().echo(ConformanceFixture.OPTIONS)));
	}

	private static void verify(Echo response, long producer, long sequence) {
		if (!response.equals(Echo.of(producer, sequence))) {
			throw new AssertionError("Expected " + Echo.of(producer, sequence) + ", got " + response);
		}
	}

	/**
	 * Sends a producer's messages with some of them in flight, and verifies all responses
	 * in order.
	 */
	private static void pipeline(RingKernelClient<Echo, Echo> client, int producer, int messages, int window) {
		Deque<CompletableFuture<Echo>> inFlight = new ArrayDeque<>(window);
		int verified = 0;
		for (int sequence = 0; sequence < messages; sequence++) {
			if (inFlight.size() == window) {
				verify(inFlight.remove().join(), producer, verified++);
			}
			inFlight.add(client.submit(Echo.of(producer, sequence)));
		}
		while (!inFlight.isEmpty()) {
			verify(inFlight.remove().join(), producer, verified++);
		}
	}

	@Test
	void aMillionMessagesAreAnsweredOnceEach() throws InterruptedException {
		Kernel<Echo, Echo> kernel = echo(256);
		int producers = 4;
		int each = ConformanceFixture.many(MILLION / producers);
		Concurrently.run(producers, Duration.ofSeconds(100),
				(producer) -> pipeline(kernel.client(), producer, each, 64));
		ConformanceFixture.await()
			.untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo((long) producers * each));
		assertThat(kernel.status().inFlight()).isZero();
		assertThat(kernel.status().failed()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4 })
	void manyProducersShareATinyRing(int slots) throws InterruptedException {
		Kernel<Echo, Echo> kernel = echo(slots);
		assertThat(kernel.status().slots()).isEqualTo(slots);
		int each = ConformanceFixture.many(2_000);
		Concurrently.run(16, ConformanceFixture.LIMIT, (producer) -> {
			for (int sequence = 0; sequence < each; sequence++) {
				verify(kernel.client().call(Echo.of(producer, sequence)), producer, sequence);
			}
		});
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(16L * each));
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void callsFuturesAndBatchesShareATinyRing() throws InterruptedException {
		Kernel<Echo, Echo> kernel = echo(4);
		int each = ConformanceFixture.many(1_000);
		Concurrently.run(18, ConformanceFixture.LIMIT, (producer) -> {
			if (producer % 3 == 0) {
				pipeline(kernel.client(), producer, each, 8);
			}
			else if (producer % 3 == 1) {
				for (int sequence = 0; sequence < each; sequence++) {
					verify(kernel.client().call(Echo.of(producer, sequence)), producer, sequence);
				}
			}
			else {
				List<Echo> batch = new ArrayList<>();
				for (int sequence = 0; sequence < each; sequence++) {
					batch.add(Echo.of(producer, sequence));
				}
				assertThat(kernel.client().callAll(batch)).isEqualTo(batch);
			}
		});
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(18L * each));
		assertThat(kernel.status().inFlight()).isZero();
	}

	@ParameterizedTest
	@EnumSource(value = WaitStrategy.class, names = { "YIELD", "BACK_OFF" })
	void everyWaitStrategyAnswersEverybody(WaitStrategy strategy) throws InterruptedException {
		Kernel<Echo, Echo> kernel = this.fixture.activate(ConformanceFixture.withSlots(8,
				this.fixture.kernels().echo(ConformanceFixture.OPTIONS.toBuilder().waitStrategy(strategy).build())));
		int each = ConformanceFixture.many(1_000);
		Concurrently.run(8, ConformanceFixture.LIMIT, (producer) -> {
			for (int sequence = 0; sequence < each; sequence++) {
				verify(kernel.client().call(Echo.of(producer, sequence)), producer, sequence);
			}
		});
	}

	@ParameterizedTest
	@EnumSource(WaitStrategy.class)
	void aSlowMessageDelaysNobodyElse(WaitStrategy strategy) {
		this.fixture.requireAnswersBesideSlowRequests();
		Kernel<Slow, Slow> kernel = this.fixture.activate(ConformanceFixture.withSlots(4, this.fixture.kernels()
			.slow(ConformanceFixture.OPTIONS.toBuilder().workers(2).waitStrategy(strategy).build())));
		// Threads that spin without end leave few time slices to others on a small
		// machine. If others were delayed, they would be however long it takes.
		int others = ConformanceFixture.many((strategy == WaitStrategy.BUSY_SPIN) ? 40 : 400);
		int answered = answeredBesideSlowOne(kernel, Duration.ofMillis(300), others);
		if (answered <= 4) {
			answered = answeredBesideSlowOne(kernel, Duration.ofSeconds(3), others);
		}
		assertThat(answered).as("round the ring past the slot of the slow message").isGreaterThan(4);
	}

	private static int answeredBesideSlowOne(Kernel<Slow, Slow> kernel, Duration duration, int others) {
		Slow slow = new Slow(0, 0, duration.toNanos() / 1_000);
		CompletableFuture<Slow> slowReply = kernel.client().submit(slow);
		int answered = 0;
		while (answered < others && !slowReply.isDone()) {
			Slow fast = new Slow(1, answered, 0);
			Slow reply = (answered % 2 == 0) ? kernel.client().call(fast) : kernel.client().submit(fast).join();
			assertThat(reply).isEqualTo(fast);
			answered++;
		}
		assertThat(slowReply).succeedsWithin(ConformanceFixture.LIMIT).isEqualTo(slow);
		return answered;
	}

	@Test
	void aSlowMessageDelaysOthersForAsLongAsItTakesAtMost() {
		Kernel<Slow, Slow> kernel = this.fixture.activate(ConformanceFixture.withSlots(8,
				this.fixture.kernels().slow(ConformanceFixture.OPTIONS.toBuilder().workers(2).build())));
		Slow slow = new Slow(0, 0, Duration.ofMillis(300).toNanos() / 1_000);
		CompletableFuture<Slow> slowReply = kernel.client().submit(slow);
		List<CompletableFuture<Slow>> others = new ArrayList<>();
		for (int sequence = 1; sequence < 8; sequence++) {
			others.add(kernel.client().submit(new Slow(1, sequence, 0)));
		}
		assertThat(slowReply).succeedsWithin(ConformanceFixture.LIMIT).isEqualTo(slow);
		for (int sequence = 1; sequence < 8; sequence++) {
			assertThat(others.get(sequence - 1)).succeedsWithin(ConformanceFixture.LIMIT)
				.isEqualTo(new Slow(1, sequence, 0));
		}
	}

	@Test
	void slowMessagesOfManyProducersAreAllAnswered() throws InterruptedException {
		Kernel<Slow, Slow> kernel = this.fixture
			.activate(ConformanceFixture.withSlots(4, this.fixture.kernels().slow(ConformanceFixture.OPTIONS)));
		Concurrently.run(16, ConformanceFixture.LIMIT, (producer) -> {
			SplittableRandom random = new SplittableRandom(producer);
			for (int sequence = 0; sequence < 200; sequence++) {
				Slow request = new Slow(producer, sequence, (random.nextInt(10) == 0) ? random.nextInt(1_000) : 0);
				assertThat(kernel.client().call(request)).isEqualTo(request);
			}
		});
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void oneWorkerHandlesTheRequestsOfAProducerInOrder() throws InterruptedException {
		Kernel<Counter, Counted> kernel = this.fixture.activate(ConformanceFixture.withSlots(8,
				this.fixture.kernels().counter(ConformanceFixture.OPTIONS.toBuilder().workers(1).build())));
		int producers = 6;
		int each = ConformanceFixture.many(2_000);
		AtomicLong sum = new AtomicLong();
		Concurrently.run(producers, ConformanceFixture.LIMIT, (producer) -> {
			List<CompletableFuture<Counted>> replies = new ArrayList<>(each);
			for (int sequence = 0; sequence < each; sequence++) {
				replies.add(kernel.client().submit(new Counter(producer, sequence)));
			}
			long last = -1;
			for (int sequence = 0; sequence < each; sequence++) {
				Counted counted = replies.get(sequence).join();
				assertThat(counted.producer()).isEqualTo(producer);
				assertThat(counted.sequence()).isEqualTo(sequence);
				assertThat(counted.order()).isGreaterThan(last);
				last = counted.order();
				sum.addAndGet(last);
			}
		});
		long messages = (long) producers * each;
		assertThat(sum).hasValue(messages * (messages - 1) / 2);
	}

	@Test
	void twoHundredPlatformThreadsCallAtOnce() throws InterruptedException {
		Kernel<Echo, Echo> kernel = echo(64);
		int each = ConformanceFixture.many(100);
		Concurrently.run(200, ConformanceFixture.LIMIT, (producer) -> {
			for (int sequence = 0; sequence < each; sequence++) {
				verify(kernel.client().call(Echo.of(producer, sequence)), producer, sequence);
			}
		});
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(200L * each));
	}

	@Test
	void thousandsOfVirtualThreadsCallAtOnce() throws Exception {
		Assumptions.assumeTrue(Runtime.version().feature() >= 21, "Virtual threads need JDK 21");
		Kernel<Echo, Echo> kernel = echo(64);
		int callers = 1_000 + ConformanceFixture.many(9_000);
		ExecutorService executor = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor")
			.invoke(null);
		try {
			List<Future<?>> tasks = new ArrayList<>();
			for (int i = 0; i < callers; i++) {
				int producer = i;
				tasks.add(executor.submit(() -> {
					for (int sequence = 0; sequence < 3; sequence++) {
						verify(kernel.client().call(Echo.of(producer, sequence)), producer, sequence);
					}
				}));
			}
			for (Future<?> task : tasks) {
				task.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			executor.shutdownNow();
		}
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(3L * callers));
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aDependentStageMayCall() {
		RingKernelClient<Echo, Echo> client = echo(2).client();
		for (int i = 0; i < 200; i++) {
			int sequence = i;
			CompletableFuture<Echo> second = client.submit(Echo.of(1, sequence))
				.thenApply((first) -> client.call(Echo.of(2, sequence)));
			assertThat(second).succeedsWithin(ConformanceFixture.LIMIT).isEqualTo(Echo.of(2, sequence));
		}
	}

	@Test
	void dependentStagesOfTwoKernelsMayCallEachOther() {
		RingKernelClient<Echo, Echo> one = echo(2).client();
		RingKernelClient<Failing, Failing> other = this.fixture
			.activate(ConformanceFixture.withSlots(2, this.fixture.kernels().failing(ConformanceFixture.OPTIONS)))
			.client();
		for (int i = 0; i < 200; i++) {
			int sequence = i;
			CompletableFuture<Failing> there = one.submit(Echo.of(1, sequence))
				.thenApply((first) -> other.call(new Failing(sequence, 0)));
			CompletableFuture<Echo> back = other.submit(new Failing(sequence, 0))
				.thenApply((first) -> one.call(Echo.of(2, sequence)));
			assertThat(there).succeedsWithin(ConformanceFixture.LIMIT).isEqualTo(new Failing(sequence, 0));
			assertThat(back).succeedsWithin(ConformanceFixture.LIMIT).isEqualTo(Echo.of(2, sequence));
		}
	}

	@Test
	void aDependentStageMayCallABatch() {
		RingKernelClient<Echo, Echo> client = echo(2).client();
		List<Echo> batch = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			batch.add(Echo.of(2, i));
		}
		CompletableFuture<List<Echo>> replies = client.submit(Echo.of(1, 0))
			.thenApply((first) -> client.callAll(batch));
		assertThat(replies).succeedsWithin(ConformanceFixture.LIMIT).isEqualTo(batch);
	}

	@Test
	void dependentStagesMayCallWhileTheRingIsFullOfOthers() throws InterruptedException {
		RingKernelClient<Echo, Echo> client = echo(2).client();
		Concurrently.run(8, ConformanceFixture.LIMIT, (producer) -> {
			for (int i = 0; i < 200; i++) {
				int sequence = i;
				if (producer < 4) {
					Echo second = client.submit(Echo.of(producer, sequence))
						.thenApply((first) -> client.call(Echo.of(producer + 100, sequence)))
						.join();
					verify(second, producer + 100, sequence);
				}
				else {
					verify(client.call(Echo.of(producer, sequence)), producer, sequence);
				}
			}
		});
	}

}
