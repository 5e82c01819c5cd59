package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.RingKernelKey;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RequestContext;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.routing.KeyExtractor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A kernel gets another number of replicas while it runs.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ResizeTests extends KernelFixture {

	/** How many messages the test by force sends at least. */
	private static final long MESSAGES = Long.getLong("ringkernel.resize.messages", 100_000);

	private static final int THREADS = 4;

	private static final int KEYS_OF_A_THREAD = 25;

	private static final List<Integer> SIZES = List.of(8, 3);

	private static final KernelOptions IN_ORDER = OPTIONS.toBuilder().workers(1).drainTimeout(LIMIT).build();

	/**
	 * Each thread sends the steps of its keys without waiting for them. The handler
	 * refuses a step that is out of its turn, and one whose key is with another worker.
	 */
	@Test
	void theStateOfEveryKeyIsExactAndInOrderUnderLoad() throws Exception {
		Map<Long, Card> state = new ConcurrentHashMap<>();
		Kernel<Step, Step> kernel = keyed(2, IN_ORDER, (request) -> {
			state.computeIfAbsent(request.key(), (key) -> new Card()).accept(request);
			return request;
		});
		AtomicInteger resized = new AtomicInteger();
		AtomicLong sent = new AtomicLong();
		Map<Long, Long> expected = new ConcurrentHashMap<>();
		Concurrently.Running load = Concurrently.start(THREADS, (thread) -> {
			long step = 0;
			while (step * THREADS * KEYS_OF_A_THREAD < MESSAGES || resized.get() < SIZES.size()) {
				for (long key = 0; key < KEYS_OF_A_THREAD; key++) {
					kernel.client().send(new Step(thread * KEYS_OF_A_THREAD + key, step));
				}
				step++;
				sent.addAndGet(KEYS_OF_A_THREAD);
			}
			for (long key = 0; key < KEYS_OF_A_THREAD; key++) {
				expected.put(thread * KEYS_OF_A_THREAD + key, step);
			}
		});
		for (int size : SIZES) {
			long before = sent.get();
			Awaitility.await().atMost(LIMIT).until(() -> sent.get() > before);
			kernel.resize(size);
			assertThat(kernel.replicas()).hasSize(size);
			resized.incrementAndGet();
		}
		load.join(Duration.ofMinutes(9));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		assertThat(state).hasSize(THREADS * KEYS_OF_A_THREAD);
		state.forEach((key, card) -> assertThat(card.next).as("steps of key %d", key).isEqualTo(expected.get(key)));
		assertThat(kernel.status().failed()).isZero();
		assertThat(kernel.status().processed()).isPositive();
	}

	@Test
	void noCallIsLostWhileReplicasComeAndGo() throws Exception {
		AtomicLong handled = new AtomicLong();
		Kernel<Step, Step> kernel = leastLoaded(2, (request) -> {
			handled.incrementAndGet();
			return request;
		});
		AtomicInteger resized = new AtomicInteger();
		AtomicLong answered = new AtomicLong();
		Concurrently.Running load = Concurrently.start(THREADS, (thread) -> {
			for (long i = 0; resized.get() < 6; i++) {
				assertThat(kernel.client().call(new Step(thread, i))).isEqualTo(new Step(thread, i));
				answered.incrementAndGet();
			}
		});
		for (int size : List.of(8, 3, 1, 5, 2, 4)) {
			kernel.resize(size);
			resized.incrementAndGet();
		}
		load.join(LIMIT);
		assertThat(handled).hasValue(answered.get());
		assertThat(kernel.replicas()).hasSize(4).extracting(Kernel::state).containsOnly(KernelState.ACTIVE);
	}

	/**
	 * The callers have chosen their replica and have not claimed a slot yet.
	 */
	@Test
	void aCallIsNotLostThatHasNotReachedItsReplicaYet() throws Exception {
		CountDownLatch inside = new CountDownLatch(16);
		CountDownLatch resized = new CountDownLatch(1);
		Kernel<Step, Step> kernel = this.runtime
			.define(KernelSpec.of("kernel", Step.class, Step.class, (request) -> request, IN_ORDER)
				.withContext(new GatedContext(inside, resized)), new Replication(2, List.of()), null);
		start(kernel);
		Concurrently.Running callers = Concurrently.start(16, (thread) -> {
			Step request = new Step(thread, 0);
			assertThat(kernel.client().call(request)).isEqualTo(request);
		});
		assertThat(inside.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		kernel.resize(1);
		resized.countDown();
		callers.join(LIMIT);
	}

	@Test
	void keysAreSpreadOverTheReplicasThatThereAre() {
		Kernel<Step, Step> kernel = keyed(2, IN_ORDER, (request) -> request);
		List<Step> requests = LongStream.range(0, 1000).mapToObj((key) -> new Step(key, 0)).toList();
		for (int size : List.of(5, 3)) {
			kernel.resize(size);
			assertThat(kernel.client().callAll(requests)).isEqualTo(requests);
			assertThat(kernel.replicas()).hasSize(size)
				.allSatisfy((replica) -> assertThat(replica.status().processed()).isPositive());
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void replicasAreListedAndForgotten(int size) throws Exception {
		Kernel<Step, Step> kernel = leastLoaded(3, (request) -> request);
		Kernel<Step, Step> last = kernel.replicas().get(2);
		List<String> removed = new CopyOnWriteArrayList<>();
		this.runtime.addListener((event) -> {
			if (event instanceof KernelRemoval) {
				removed.add(event.kernel().id());
			}
		});
		kernel.resize(size);
		assertThat(kernel.replicas()).extracting(Kernel::id)
			.isEqualTo(IntStream.range(0, size).mapToObj((i) -> "kernel." + i).toList());
		assertThat(last.state()).isEqualTo((size < 3) ? KernelState.TERMINATED : KernelState.ACTIVE);
		assertThat(this.runtime.kernel("kernel.3").isPresent()).isEqualTo(size == 4);
		assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		assertThat(removed).isEqualTo((size < 3) ? List.of("kernel.1", "kernel.2") : List.of());
	}

	@Test
	void aReplicaThatCannotBeLaunchedChangesNothing() {
		Kernel<Step, Step> kernel = keyed(2, IN_ORDER, (request) -> request);
		List<Kernel<Step, Step>> before = kernel.replicas();
		this.provider.loadFailure = new KernelLaunchException("kernel.2", "there is no room", null);
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(() -> kernel.resize(4));
		this.provider.loadFailure = null;
		assertThat(kernel.replicas()).isEqualTo(before);
		assertThat(kernel.client().call(new Step(1, 1))).isEqualTo(new Step(1, 1));
	}

	@Test
	void anInterruptLeavesNoReplicaThatWasToBeAdded() {
		GatedHandler<Step> gate = new GatedHandler<>((request) -> request);
		Kernel<Step, Step> kernel = keyed(2, IN_ORDER, gate);
		List<Kernel<Step, Step>> before = kernel.replicas();
		CompletableFuture<Step> slow = kernel.client().submit(new Step(1, 1));
		FutureTask<Boolean> resize = resizeAndTellOfInterrupt(kernel, 4);
		Thread caller = new Thread(resize);
		caller.start();
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> kernel.replicas().size() == 4 && kernel.replicas().get(3).state() == KernelState.ACTIVE);
		List<Kernel<Step, Step>> added = kernel.replicas().subList(2, 4);
		caller.interrupt();
		assertThat(resize).failsWithin(LIMIT)
			.withThrowableThat()
			.withCauseInstanceOf(RequestInterruptedException.class);
		assertThat(added).extracting(Kernel::state).containsOnly(KernelState.TERMINATED);
		assertThat(kernel.replicas()).isEqualTo(before);
		gate.allowAll();
		assertThat(slow).succeedsWithin(LIMIT);
	}

	@Test
	void anInterruptLeavesNoReplicaThatWasToBeTakenAway() {
		GatedHandler<Step> gate = new GatedHandler<>((request) -> request);
		Kernel<Step, Step> kernel = leastLoaded(4, gate);
		List<Kernel<Step, Step>> taken = kernel.replicas().subList(2, 4);
		CompletableFuture<Step> slow = taken.get(0).client().submit(new Step(1, 1));
		FutureTask<Boolean> resize = resizeAndTellOfInterrupt(kernel, 2);
		Thread caller = new Thread(resize);
		caller.start();
		Awaitility.await().atMost(LIMIT).until(() -> taken.get(0).state() == KernelState.TERMINATING);
		caller.interrupt();
		gate.allowAll();
		assertThat(resize).succeedsWithin(LIMIT).isEqualTo(true);
		assertThat(taken).extracting(Kernel::state).containsOnly(KernelState.TERMINATED);
		assertThat(kernel.replicas()).hasSize(2);
		assertThat(slow).succeedsWithin(LIMIT);
	}

	private static FutureTask<Boolean> resizeAndTellOfInterrupt(Kernel<?, ?> kernel, int replicas) {
		return new FutureTask<>(() -> {
			kernel.resize(replicas);
			return Thread.interrupted();
		});
	}

	@Test
	void requestsThatAreNotAnsweredInTimeChangeNothing() {
		GatedHandler<Step> gate = new GatedHandler<>((request) -> request);
		Kernel<Step, Step> kernel = keyed(2, IN_ORDER.toBuilder().drainTimeout(Duration.ofMillis(50)).build(), gate);
		List<Kernel<Step, Step>> before = kernel.replicas();
		CompletableFuture<Step> slow = kernel.client().submit(new Step(1, 1));
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(() -> kernel.resize(4))
			.withMessageContaining("did not answer what is in flight within 50ms");
		assertThat(kernel.replicas()).isEqualTo(before);
		gate.allowAll();
		assertThat(slow).succeedsWithin(LIMIT);
		assertThat(kernel.client().call(new Step(2, 1))).isEqualTo(new Step(2, 1));
	}

	@Test
	void aKernelThatDoesNotRunIsResizedForItsNextLaunch() {
		Kernel<Step, Step> kernel = keyed(2, IN_ORDER, (request) -> request);
		kernel.terminate();
		kernel.resize(3);
		assertThat(kernel.replicas()).extracting(Kernel::state)
			.containsExactly(KernelState.TERMINATED, KernelState.TERMINATED, KernelState.CREATED);
		start(kernel);
		assertThat(kernel.replicas()).extracting(Kernel::state).containsOnly(KernelState.ACTIVE);
	}

	@Test
	void aKernelWithoutReplicasKeepsOne() {
		Kernel<Number, Number> kernel = define("single", (request) -> request);
		kernel.resize(1);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> kernel.resize(2))
			.withMessage("replicas = 2 cannot be reached by ring kernel 'single', which was defined with one. "
					+ "Define it with two replicas or more.");
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1025 })
	void aNumberOutOfRangeIsRefused(int size) {
		Kernel<Step, Step> kernel = leastLoaded(2, (request) -> request);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> kernel.resize(size))
			.withMessageContaining("Set it to a value from 1 to 1024.");
		assertThat(kernel.replicas()).hasSize(2);
	}

	private Kernel<Step, Step> leastLoaded(int replicas, RingKernelHandler<Step, Step> handler) {
		return started(replicas, IN_ORDER, handler, null);
	}

	private Kernel<Step, Step> keyed(int replicas, KernelOptions options, RingKernelHandler<Step, Step> handler) {
		return started(replicas, options, handler, KeyExtractor.ofComponent(Step.class));
	}

	private Kernel<Step, Step> started(int replicas, KernelOptions options, RingKernelHandler<Step, Step> handler,
			@Nullable KeyExtractor<Step> key) {
		Kernel<Step, Step> kernel = this.runtime.define(
				KernelSpec.of("kernel", Step.class, Step.class, handler, options), new Replication(replicas, List.of()),
				key);
		start(kernel);
		return kernel;
	}

	record Step(@RingKernelKey long key, long step) {
	}

	/**
	 * Holds up each caller that has not claimed a slot yet.
	 */
	private record GatedContext(CountDownLatch inside, CountDownLatch gate) implements RequestContext {

		@Override
		public @Nullable Object capture() {
			this.inside.countDown();
			try {
				assertThat(this.gate.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return null;
		}

		@Override
		public Scope restore(Object captured) {
			throw new UnsupportedOperationException("There is no context");
		}

	}

	/**
	 * The state of a key, for one worker at a time.
	 */
	private static final class Card {

		private final AtomicInteger workers = new AtomicInteger();

		private volatile long next;

		void accept(Step request) {
			if (this.workers.incrementAndGet() != 1 || this.next != request.step()) {
				throw new IllegalStateException("%s while step %d is due".formatted(request, this.next));
			}
			this.next = request.step() + 1;
			this.workers.decrementAndGet();
		}

	}

}
