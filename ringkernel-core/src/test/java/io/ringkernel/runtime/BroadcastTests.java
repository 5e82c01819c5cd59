package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;

import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.RingKernelKey;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.BroadcastException;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.routing.KeyExtractor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/**
 * One request to every replica of a kernel.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BroadcastTests extends KernelFixture {

	private static final KernelOptions SMALL = OPTIONS.toBuilder()
		.ringMemory(RingLayout.totalBytes(4, 8, 8))
		.drainTimeout(Duration.ofMillis(1))
		.stopTimeout(Duration.ofMillis(100))
		.build();

	@Test
	void everyReplicaAnswersOnce() {
		Kernel<Keyed, Keyed> kernel = started(3, (request) -> new Keyed(-request.key()));
		assertThat(kernel.client().broadcast(new Keyed(7)))
			.isEqualTo(List.of(new Keyed(-7), new Keyed(-7), new Keyed(-7)));
		assertThat(kernel.client().broadcast(new Keyed(8), LIMIT)).hasSize(3);
		assertThat(kernel.replicas()).extracting((replica) -> replica.status().processed()).containsExactly(2L, 2L, 2L);
	}

	@Test
	void responsesAreInTheOrderOfTheReplicas() {
		Map<String, Long> answers = new ConcurrentHashMap<>(Map.of("kernel.0", 10L, "kernel.1", 11L, "kernel.2", 12L));
		Kernel<Keyed, Keyed> kernel = started(3, (request) -> new Keyed(answers.get(replicaOfWorker())));
		assertThat(kernel.client().broadcast(new Keyed(0))).containsExactly(new Keyed(10), new Keyed(11),
				new Keyed(12));
	}

	@Test
	void aKernelWithoutReplicasAnswersAlone() {
		Kernel<Keyed, Keyed> kernel = started(1, (request) -> request);
		assertThat(kernel.client().broadcast(new Keyed(7))).containsExactly(new Keyed(7));
		kernel.deactivate();
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> kernel.client().broadcast(new Keyed(7)));
	}

	@Test
	void aReplicaThatTakesNoRequestsIsNamedAndTheOthersHaveAnswered() {
		Kernel<Keyed, Keyed> kernel = started(3, (request) -> request);
		kernel.replicas().get(1).deactivate();
		assertThatExceptionOfType(BroadcastException.class).isThrownBy(() -> kernel.client().broadcast(new Keyed(7)))
			.withMessage("2 of 3 replicas of ring kernel 'kernel' have answered a broadcast, and not 'kernel.1': Ring "
					+ "kernel 'kernel.1' takes no requests: it is INACTIVE, not ACTIVE. It was deactivated. Activate it.")
			.satisfies((ex) -> assertThat(ex.failures()).containsOnlyKeys("kernel.1"));
		assertThat(kernel.replicas()).extracting((replica) -> replica.status().processed()).containsExactly(1L, 0L, 1L);
	}

	@Test
	void failuresAreInTheOrderOfTheReplicas() {
		Kernel<Keyed, Keyed> kernel = started(3, (request) -> {
			if (replicaOfWorker().equals("kernel.0")) {
				throw new IllegalStateException("asked to fail");
			}
			return request;
		});
		kernel.replicas().get(2).deactivate();
		assertThatExceptionOfType(BroadcastException.class).isThrownBy(() -> kernel.client().broadcast(new Keyed(7)))
			.satisfies((ex) -> assertThat(ex.failures().keySet()).containsExactly("kernel.0", "kernel.2"))
			.satisfies((ex) -> assertThat(ex.failures().values()).extracting(RingKernelException::getClass)
				.isEqualTo(List.of(HandlerFailedException.class, KernelNotActiveException.class)));
	}

	@Test
	void aReplicaThatDoesNotAnswerInTimeIsNamedWithTheTimeoutOfTheBroadcast() {
		GatedHandler<Keyed> gate = new GatedHandler<>((request) -> request);
		Kernel<Keyed, Keyed> kernel = started(2,
				(request) -> replicaOfWorker().equals("kernel.1") ? gate.handle(request) : request);
		Duration timeout = Duration.ofMillis(50);
		assertThatExceptionOfType(BroadcastException.class)
			.isThrownBy(() -> kernel.client().broadcast(new Keyed(7), timeout))
			.satisfies((ex) -> assertThat(ex.failures()).containsKey("kernel.1"))
			.satisfies(
					(ex) -> assertThat(ex.failures().get("kernel.1")).asInstanceOf(type(RequestTimeoutException.class))
						.satisfies((late) -> assertThat(late.timeout()).isEqualTo(timeout)));
		gate.allowAll();
		Awaitility.await().until(() -> kernel.status().inFlight() == 0);
	}

	@Test
	void aReplicaWithoutAFreeSlotKeepsNoOtherOneFromAnswering() {
		GatedHandler<Keyed> gate = new GatedHandler<>((request) -> request);
		Kernel<Keyed, Keyed> kernel = startedWithFirstReplicaFull(gate);
		assertThatExceptionOfType(BroadcastException.class)
			.isThrownBy(() -> kernel.client().broadcast(new Keyed(7), Duration.ofMillis(200)))
			.satisfies((ex) -> assertThat(ex.failures()).containsOnlyKeys("kernel.0"))
			.satisfies((ex) -> assertThat(ex.failures().get("kernel.0")).isInstanceOf(RingFullException.class));
		assertThat(kernel.replicas().subList(1, 4)).extracting((replica) -> replica.status().processed())
			.containsOnly(1L);
		gate.allowAll();
	}

	@Test
	void aReplicaThatStaysFullKeepsNoneFromAnsweringThatWasFull() {
		GatedHandler<Keyed> full = new GatedHandler<>((request) -> request);
		GatedHandler<Keyed> soonFree = new GatedHandler<>((request) -> request);
		Kernel<Keyed, Keyed> kernel = started(2, SMALL,
				(request) -> (replicaOfWorker().equals("kernel.0") ? full : soonFree).handle(request));
		kernel.replicas().forEach(BroadcastTests::fill);
		FutureTask<List<Keyed>> broadcast = new FutureTask<>(
				() -> kernel.client().broadcast(new Keyed(7), Duration.ofSeconds(1)));
		Thread caller = new Thread(broadcast);
		caller.start();
		Awaitility.await().atMost(LIMIT).until(() -> caller.getState() == Thread.State.TIMED_WAITING);
		soonFree.allowAll();
		assertThat(broadcast).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.asInstanceOf(type(BroadcastException.class))
			.satisfies((ex) -> assertThat(ex.failures()).containsOnlyKeys("kernel.0"))
			.satisfies((ex) -> assertThat(ex.failures().get("kernel.0")).isInstanceOf(RingFullException.class)
				.hasMessageContaining("within 1s"));
		full.allowAll();
	}

	@Test
	void aReplicaThatEndsBeforeItHasAFreeSlotIsNamed() {
		GatedHandler<Keyed> gate = new GatedHandler<>((request) -> request);
		Kernel<Keyed, Keyed> kernel = startedWithFirstReplicaFull(gate);
		FutureTask<List<Keyed>> broadcast = new FutureTask<>(() -> kernel.client().broadcast(new Keyed(7)));
		Thread caller = new Thread(broadcast);
		caller.start();
		Awaitility.await().atMost(LIMIT).until(() -> caller.getState() == Thread.State.TIMED_WAITING);
		kernel.replicas().get(0).terminate();
		assertThat(broadcast).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.asInstanceOf(type(BroadcastException.class))
			.satisfies((ex) -> assertThat(ex.failures()).containsOnlyKeys("kernel.0"));
	}

	private Kernel<Keyed, Keyed> startedWithFirstReplicaFull(GatedHandler<Keyed> gate) {
		Kernel<Keyed, Keyed> kernel = started(4, SMALL,
				(request) -> replicaOfWorker().equals("kernel.0") ? gate.handle(request) : request);
		fill(kernel.replicas().get(0));
		return kernel;
	}

	private static void fill(Kernel<Keyed, Keyed> replica) {
		RingKernelClient<Keyed, Keyed> client = replica.client();
		while (client.trySubmit(new Keyed(1)).isPresent()) {
			assertThat(replica.status().inFlight()).isPositive();
		}
	}

	@Test
	void whatNoReplicaCanTakeIsRefusedAsByACall() {
		Kernel<Keyed, Keyed> kernel = started(2, (request) -> request);
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> kernel.client().broadcast(null));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> kernel.client().broadcast(new Keyed(7), Duration.ZERO));
		assertThat(kernel.status().processed()).isZero();
	}

	private static String replicaOfWorker() {
		String thread = Thread.currentThread().getName();
		return thread.substring("ringkernel-".length(), thread.indexOf("-worker-"));
	}

	private Kernel<Keyed, Keyed> started(int replicas, RingKernelHandler<Keyed, Keyed> handler) {
		return started(replicas, OPTIONS, handler);
	}

	private Kernel<Keyed, Keyed> started(int replicas, KernelOptions options, RingKernelHandler<Keyed, Keyed> handler) {
		Kernel<Keyed, Keyed> kernel = this.runtime.define(
				KernelSpec.of("kernel", Keyed.class, Keyed.class, handler, options),
				new Replication(replicas, List.of()), KeyExtractor.ofComponent(Keyed.class));
		start(kernel);
		return kernel;
	}

	record Keyed(@RingKernelKey long key) {
	}

}
