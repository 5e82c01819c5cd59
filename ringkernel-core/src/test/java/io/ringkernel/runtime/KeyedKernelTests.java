package io.ringkernel.runtime;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.RingKernelKey;
import io.ringkernel.TestShare;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.ReplicaUnavailableException;
import io.ringkernel.routing.KeyExtractor;
import io.ringkernel.routing.Routing;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyedKernelTests extends KernelFixture {

	/** One worker for each replica: it handles requests in the order of the ring. */
	private static final KernelOptions IN_ORDER = OPTIONS.toBuilder().workers(1).build();

	@Test
	void requestsOfAKeyGoToTheSameReplica() {
		Kernel<Step, Step> kernel = started(4, (request) -> request);
		assertThat(kernel.routing()).isEqualTo(Routing.KEY);
		for (int i = 0; i < 100; i++) {
			kernel.client().call(new Step(42, i));
		}
		assertThat(kernel.replicas()).extracting((replica) -> replica.status().processed())
			.containsExactlyInAnyOrder(0L, 0L, 0L, 100L);
	}

	@Test
	void aBatchReachesTheReplicasOfItsKeys() {
		Kernel<Step, Step> kernel = started(4, (request) -> request);
		List<Step> requests = LongStream.range(0, 1000).mapToObj((key) -> new Step(key, 0)).toList();
		long[] expected = new long[4];
		requests.forEach((request) -> expected[replicaOf(kernel, request.key())]++);
		List<Long> before = processed(kernel);
		assertThat(kernel.client().callAll(requests)).isEqualTo(requests);
		for (int i = 0; i < expected.length; i++) {
			assertThat(processed(kernel).get(i) - before.get(i)).isEqualTo(expected[i]);
		}
	}

	@Test
	void keysOfAReplicaThatTakesNoRequestsAreRefusedWithTheirShard() {
		Kernel<Step, Step> kernel = started(4, (request) -> request);
		int lost = replicaOf(kernel, 42);
		long other = LongStream.range(0, 100).filter((key) -> replicaOf(kernel, key) != lost).findFirst().orElseThrow();
		kernel.replicas().get(lost).deactivate();
		assertThatExceptionOfType(ReplicaUnavailableException.class)
			.isThrownBy(() -> kernel.client().call(new Step(42, 0)))
			.satisfies((ex) -> assertThat(ex.shard()).isEqualTo(lost))
			.satisfies((ex) -> assertThat(ex.kernelId()).isEqualTo("keyed"))
			.satisfies((ex) -> assertThat(ex.state()).isEqualTo(KernelState.INACTIVE))
			.withMessage(("Ring kernel 'keyed.%1$d' takes no requests: it is INACTIVE, not ACTIVE. It was deactivated. "
					+ "Activate it. Shard %1$d of the keys is unavailable until then.")
				.formatted(lost));
		assertThatExceptionOfType(ReplicaUnavailableException.class)
			.isThrownBy(() -> kernel.client().submit(new Step(42, 0)));
		assertThat(kernel.client().call(new Step(other, 0))).isEqualTo(new Step(other, 0));
		kernel.replicas().get(lost).activate();
		assertThat(kernel.client().call(new Step(42, 0))).isEqualTo(new Step(42, 0));
	}

	@Test
	void aStreamOfRequestsByKeyIsRefused() {
		Kernel<Step, Step> kernel = started(2, (request) -> request);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> kernel.client().openStream())
			.withMessageContaining("Open the stream on the client of a replica");
	}

	@Test
	void aRequestThatIsNoneIsAnInvalidMessage() {
		Kernel<Step, Step> kernel = started(2, (request) -> request);
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> kernel.client().call(null));
	}

	/**
	 * Each thread sends the steps of its keys without waiting for them.
	 */
	@Test
	void aKeyIsServedInTheOrderInWhichItsRequestsAreSent() throws Exception {
		int threads = 4;
		long steps = TestShare.of(200_000);
		Map<Long, Long> state = new ConcurrentHashMap<>();
		Kernel<Step, Step> kernel = started(8, (request) -> {
			Long before = state.put(request.key(), request.step());
			if (before != null && before != request.step() - 1) {
				throw new IllegalStateException("%s after step %d".formatted(request, before));
			}
			return request;
		});
		Concurrently.run(threads, LIMIT.multipliedBy(3), (thread) -> {
			for (long step = 0; step < steps; step++) {
				kernel.client().send(new Step(thread * 10L + step % 10, step / 10));
			}
		});
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().processed() == threads * steps);
		assertThat(kernel.status().failed()).isZero();
	}

	/**
	 * Each thread owns some keys, and sends the next step of a key when the one before is
	 * answered. A step that may or may not have been handled is sent again, and the
	 * handler recognizes it.
	 */
	@Test
	void theStateOfEveryKeyIsExactWhileReplicasAreRelaunched() throws Exception {
		int threads = 4;
		int keysOfAThread = 25;
		long steps = Math.max(10, TestShare.of(200_000) / (threads * keysOfAThread));
		Map<Long, AtomicLong> state = new ConcurrentHashMap<>();
		Kernel<Step, Step> kernel = started(8, (request) -> {
			AtomicLong next = state.computeIfAbsent(request.key(), (key) -> new AtomicLong());
			if (!next.compareAndSet(request.step(), request.step() + 1) && next.get() != request.step() + 1) {
				throw new IllegalStateException("%s after step %d".formatted(request, next.get() - 1));
			}
			return request;
		});
		Concurrently.Running relaunches = Concurrently.start(1, (thread) -> {
			for (int i = 0; i < 24; i++) {
				kernel.replicas().get(i % 8).relaunch();
			}
		});
		Concurrently.run(threads, LIMIT.multipliedBy(3), (thread) -> {
			for (long step = 0; step < steps; step++) {
				for (long key = 0; key < keysOfAThread; key++) {
					answer(kernel, new Step(thread * keysOfAThread + key, step));
				}
			}
		});
		relaunches.join(LIMIT);
		assertThat(state).hasSize(threads * keysOfAThread).allSatisfy((key, next) -> assertThat(next).hasValue(steps));
		assertThat(kernel.status().failed()).isZero();
		assertThat(kernel.status().restarts()).isEqualTo(24);
	}

	/**
	 * Calls until the replica of the key answers, which may be relaunched meanwhile.
	 */
	private static void answer(Kernel<Step, Step> kernel, Step step) {
		while (true) {
			try {
				assertThat(kernel.client().call(step)).isEqualTo(step);
				return;
			}
			catch (ReplicaUnavailableException | KernelTerminatedException ex) {
				Thread.onSpinWait();
			}
		}
	}

	private int replicaOf(Kernel<Step, Step> kernel, long key) {
		List<Long> before = processed(kernel);
		kernel.client().call(new Step(key, -1));
		List<Long> after = processed(kernel);
		for (int i = 0; i < before.size(); i++) {
			if (!before.get(i).equals(after.get(i))) {
				return i;
			}
		}
		throw new IllegalStateException("no replica has answered");
	}

	private static List<Long> processed(Kernel<Step, Step> kernel) {
		return kernel.replicas().stream().map((replica) -> replica.status().processed()).toList();
	}

	private Kernel<Step, Step> started(int replicas, RingKernelHandler<Step, Step> handler) {
		Kernel<Step, Step> kernel = this.runtime.define(
				KernelSpec.of("keyed", Step.class, Step.class, handler, IN_ORDER), new Replication(replicas, List.of()),
				KeyExtractor.ofComponent(Step.class));
		start(kernel);
		return kernel;
	}

	record Step(@RingKernelKey long key, long step) {
	}

}
