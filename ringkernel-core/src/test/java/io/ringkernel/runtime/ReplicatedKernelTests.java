package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.ringkernel.KernelState;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.IllegalKernelStateException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.RequestTimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicatedKernelTests extends KernelFixture {

	@Test
	void aKernelWithOneReplicaIsAnOrdinaryKernel() {
		Kernel<Number, Number> kernel = this.runtime.define(spec("echo", OPTIONS, (it) -> it), Replication.NONE, null);
		assertThat(kernel).isInstanceOf(SingleKernel.class);
		assertThat(kernel.replicas()).containsExactly(kernel);
	}

	@Test
	void eachReplicaIsAKernelWithAnIdOfItsOwn() {
		Kernel<Number, Number> kernel = started(3, (it) -> it);
		assertThat(kernel.replicas()).extracting(Kernel::id).containsExactly("echo.0", "echo.1", "echo.2");
		assertThat(this.runtime.kernels()).containsExactly(kernel);
		assertThat(this.runtime.kernel("echo.1")).contains(kernel.replicas().get(1));
		assertThat(this.runtime.kernel("echo.3")).isEmpty();
		assertThat(kernel.client().kernelId()).isEqualTo("echo");
	}

	@Test
	void anIdWithTheNumberOfAReplicaIsRefused() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> define("echo.1", (request) -> request))
			.withMessage("kernel id = 'echo.1' is the id of a replica. Use no dot in the id of a kernel.");
	}

	@Test
	void onTheCpuAllDevicesAreOne() {
		KernelSpec<Number, Number> spec = spec("echo", OPTIONS, (it) -> it);
		Kernel<Number, Number> kernel = this.runtime.define(spec,
				new Replication(Replication.ONE_PER_DEVICE, Replication.ALL), null);
		assertThat(kernel.replicas()).containsExactly(kernel);
	}

	@Test
	void aRequestGoesToAReplicaThatIsNotBusy() {
		GatedHandler<Number> gate = new GatedHandler<>((request) -> request);
		Kernel<Number, Number> kernel = started(2,
				(request) -> (request.value() == 0) ? gate.handle(request) : request);
		CompletableFuture<Number> slow = kernel.client().submit(new Number(0));
		Awaitility.await().until(() -> gate.begun() == 1);
		Kernel<Number, Number> busy = kernel.replicas()
			.stream()
			.filter((replica) -> replica.status().inFlight() == 1)
			.findFirst()
			.orElseThrow();
		for (int i = 1; i <= 100; i++) {
			assertThat(kernel.client().call(new Number(i))).isEqualTo(new Number(i));
		}
		assertThat(busy.status().processed()).isZero();
		gate.allowAll();
		assertThat(slow).succeedsWithin(LIMIT);
		Awaitility.await().until(() -> kernel.status().processed() == 101);
	}

	@Test
	void everyWayToCallReachesAReplica() throws Exception {
		Kernel<Number, Number> kernel = started(3, (request) -> new Number(request.value() + 1));
		Number request = new Number(1);
		Number response = new Number(2);
		assertThat(kernel.client().call(request)).isEqualTo(response);
		assertThat(kernel.client().call(request, LIMIT)).isEqualTo(response);
		assertThat(kernel.client().submit(request)).succeedsWithin(LIMIT).isEqualTo(response);
		assertThat(kernel.client().submit(request, LIMIT)).succeedsWithin(LIMIT).isEqualTo(response);
		assertThat(kernel.client().trySubmit(request).orElseThrow()).succeedsWithin(LIMIT).isEqualTo(response);
		assertThat(kernel.client().trySubmit(request, LIMIT).orElseThrow()).succeedsWithin(LIMIT).isEqualTo(response);
		assertThat(kernel.client().withPriority(RequestPriority.BACKGROUND).call(request)).isEqualTo(response);
		kernel.client().send(request);
		kernel.client().send(request, LIMIT);
		Awaitility.await().until(() -> kernel.status().processed() == 9);
	}

	@Test
	void aStreamStaysOnItsReplica() {
		Kernel<Number, Number> kernel = started(3, (it) -> it);
		try (RequestStream<Number, Number> stream = kernel.client().openStream()) {
			for (int i = 0; i < 100; i++) {
				stream.send(new Number(i));
				assertThat(stream.receive()).isEqualTo(new Number(i));
			}
		}
		assertThat(kernel.replicas()).extracting((replica) -> replica.status().processed())
			.containsExactlyInAnyOrder(0L, 0L, 100L);
	}

	@Test
	void aBatchIsSpreadAndItsResponsesAreInOrder() {
		Kernel<Number, Number> kernel = started(3, (request) -> new Number(-request.value()));
		List<Number> requests = LongStream.range(0, 300_000).mapToObj(Number::new).toList();
		assertThat(kernel.client().callAll(requests))
			.isEqualTo(requests.stream().map((request) -> new Number(-request.value())).toList());
		assertThat(kernel.replicas()).allSatisfy((replica) -> assertThat(replica.status().processed()).isPositive());
	}

	@Test
	void aBatchMayBeLongerThanRingsThatReject() {
		KernelOptions rejecting = OPTIONS.toBuilder().ringMemory(4096).backpressure(Backpressure.REJECT).build();
		Kernel<Number, Number> kernel = started(2, rejecting, (it) -> it);
		List<Number> requests = LongStream.range(0, 20_000).mapToObj(Number::new).toList();
		assertThat(requests).hasSizeGreaterThan(kernel.status().slots());
		assertThat(kernel.client().callAll(requests)).isEqualTo(requests);
	}

	@Test
	void theFirstRequestThatFailsFailsItsBatch() {
		Kernel<Number, Number> kernel = started(2, (request) -> {
			if (request.value() >= 10) {
				throw new IllegalStateException("asked to fail with " + request.value());
			}
			return request;
		});
		List<Number> requests = LongStream.range(0, 20).mapToObj(Number::new).toList();
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().callAll(requests))
			.withMessageContaining("asked to fail with 10");
		Awaitility.await().until(() -> kernel.status().inFlight() == 0);
	}

	@Test
	void aBatchThatIsNotAnsweredInTimeNamesItsOwnTimeout() {
		GatedHandler<Number> gate = new GatedHandler<>((request) -> request);
		Kernel<Number, Number> kernel = started(2, gate);
		Duration timeout = Duration.ofMillis(50);
		assertThatExceptionOfType(RequestTimeoutException.class)
			.isThrownBy(() -> kernel.client().callAll(List.of(new Number(1), new Number(2)), timeout))
			.satisfies((ex) -> assertThat(ex.timeout()).isEqualTo(timeout));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> kernel.client().callAll(List.of(new Number(1)), Duration.ZERO));
		gate.allowAll();
		Awaitility.await().until(() -> kernel.status().inFlight() == 0);
	}

	@Test
	void requestsGoToTheOthersWhileAReplicaTakesNone() {
		Kernel<Number, Number> kernel = started(2, (it) -> it);
		Kernel<Number, Number> left = kernel.replicas().get(0);
		left.deactivate();
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(called(kernel, 100)).isEqualTo(100);
		assertThat(left.status().processed()).isZero();
		left.activate();
		assertThat(called(kernel, 1000)).isEqualTo(1000);
		assertThat(left.status().processed()).isPositive();
	}

	@Test
	void aReplicaThatFailsLeavesTheOthersServing() {
		Kernel<Number, Number> kernel = started(2, (it) -> it);
		Kernel<Number, Number> broken = kernel.replicas().get(1);
		broken.terminate();
		this.provider.loadFailure = new KernelLaunchException("echo.1", "there is no room", null);
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(broken::launch);
		this.provider.loadFailure = null;
		assertThat(broken.state()).isEqualTo(KernelState.FAILED);
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
		assertThat(kernel.status().lastFailure()).isNotNull();
		assertThat(called(kernel, 100)).isEqualTo(100);
		broken.relaunch();
		assertThat(called(kernel, 1000)).isEqualTo(1000);
		assertThat(broken.status().processed()).isPositive();
	}

	@Test
	void aKernelWithoutAnActiveReplicaTakesNoRequests() {
		Kernel<Number, Number> kernel = started(3, (it) -> it);
		kernel.deactivate();
		assertThat(kernel.state()).isEqualTo(KernelState.INACTIVE);
		assertThatExceptionOfType(KernelNotActiveException.class).isThrownBy(() -> kernel.client().call(new Number(1)))
			.satisfies((ex) -> assertThat(ex.state()).isEqualTo(KernelState.INACTIVE));
		assertThatExceptionOfType(KernelNotActiveException.class).isThrownBy(() -> kernel.client().openStream());
		assertThatExceptionOfType(IllegalKernelStateException.class).isThrownBy(kernel::deactivate);
		kernel.activate();
		assertThat(called(kernel, 10)).isEqualTo(10);
	}

	@Test
	void anOperationIsCarriedOutOnTheReplicasThatItAppliesTo() {
		Kernel<Number, Number> kernel = started(2, (it) -> it);
		kernel.replicas().get(0).deactivate();
		kernel.activate();
		assertThat(kernel.replicas()).extracting(Kernel::state).containsOnly(KernelState.ACTIVE);
		kernel.terminate();
		kernel.terminate();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
	}

	/**
	 * A request that is sent at the very moment at which its replica ends may fail with
	 * it. No request is refused, and none is handled twice.
	 */
	@Test
	void theOthersServeWhileReplicasAreRelaunchedInTurn() throws Exception {
		AtomicLong handled = new AtomicLong();
		Kernel<Number, Number> kernel = started(3, (request) -> {
			handled.incrementAndGet();
			return request;
		});
		AtomicLong answered = new AtomicLong();
		AtomicLong ended = new AtomicLong();
		Concurrently.Running relaunches = Concurrently.start(1, (thread) -> {
			for (int i = 0; i < 5; i++) {
				kernel.relaunch();
			}
		});
		Concurrently.run(4, LIMIT, (thread) -> {
			for (long i = 0; kernel.status().restarts() < 15; i++) {
				try {
					assertThat(kernel.client().call(new Number(i))).isEqualTo(new Number(i));
					answered.incrementAndGet();
				}
				catch (KernelTerminatedException ex) {
					ended.incrementAndGet();
				}
			}
		});
		relaunches.join(LIMIT);
		assertThat(handled)
			.satisfies((count) -> assertThat(count.get()).isBetween(answered.get(), answered.get() + ended.get()));
		assertThat(kernel.replicas()).extracting(Kernel::state).containsOnly(KernelState.ACTIVE);
	}

	@Test
	void whatIsToldOfTheKernelIsTheSumOfItsReplicas() {
		this.runtime.timingInterval(1);
		Kernel<Number, Number> kernel = started(2, (request) -> {
			if (request.value() < 0) {
				throw new IllegalStateException("negative");
			}
			return request;
		});
		called(kernel, 50);
		for (Kernel<Number, Number> replica : kernel.replicas()) {
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> replica.client().call(new Number(-1)));
		}
		assertThat(kernel.status().id()).isEqualTo("echo");
		assertThat(kernel.status().processed()).isEqualTo(52);
		assertThat(kernel.status().failed()).isEqualTo(2);
		assertThat(kernel.status().workers()).isEqualTo(4);
		assertThat(kernel.status().slots()).isEqualTo(2 * kernel.replicas().get(0).status().slots());
		assertThat(kernel.timings().total().count()).isEqualTo(52);
		assertThat(kernel.latestErrors()).hasSize(2);
		assertThat(kernel.dump()).isEmpty();
	}

	@Test
	void eventsTellOfReplicas() throws Exception {
		List<String> changes = new ArrayList<>();
		this.runtime.addListener((event) -> changes.add(event.kernel().id() + " " + event.getClass().getSimpleName()));
		Kernel<Number, Number> kernel = define(2, OPTIONS, (it) -> it);
		kernel.launch();
		this.runtime.remove(kernel);
		assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		assertThat(changes).contains("echo.0 KernelStateChange", "echo.1 KernelStateChange", "echo.0 KernelRemoval",
				"echo.1 KernelRemoval");
		assertThat(this.runtime.kernel("echo.0")).isEmpty();
	}

	private Kernel<Number, Number> started(int replicas, RingKernelHandler<Number, Number> handler) {
		return started(replicas, OPTIONS, handler);
	}

	private Kernel<Number, Number> started(int replicas, KernelOptions options,
			RingKernelHandler<Number, Number> handler) {
		Kernel<Number, Number> kernel = define(replicas, options, handler);
		start(kernel);
		return kernel;
	}

	private Kernel<Number, Number> define(int replicas, KernelOptions options,
			RingKernelHandler<Number, Number> handler) {
		return this.runtime.define(spec("echo", options, handler), new Replication(replicas, List.of()), null);
	}

	private static KernelSpec<Number, Number> spec(String id, KernelOptions options,
			RingKernelHandler<Number, Number> handler) {
		return KernelSpec.of(id, Number.class, Number.class, handler, options);
	}

	private static int called(Kernel<Number, Number> kernel, int requests) {
		int answered = 0;
		for (int i = 0; i < requests; i++) {
			answered += kernel.client().call(new Number(i)).equals(new Number(i)) ? 1 : 0;
		}
		return answered;
	}

}
