package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.observe.KernelError;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a kernel tells of itself: ages, signs of being stuck, restarts, errors.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelStatusTests {

	private static final Duration TIMEOUT = Duration.ofMillis(50);

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private final CountDownLatch gate = new CountDownLatch(1);

	record Number(long value) {
	}

	@AfterEach
	void close() {
		this.gate.countDown();
		this.runtime.close();
	}

	private Kernel<Number, Number> start(KernelOptions options, RingKernelHandler<Number, Number> handler) {
		Kernel<Number, Number> kernel = this.runtime
			.define(KernelSpec.of("observed", Number.class, Number.class, handler, options));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static KernelOptions options(Duration requestTimeout) {
		return KernelOptions.builder().workers(1).requestTimeout(requestTimeout).interruptOnTimeout(false).build();
	}

	private Number pass(Number request) throws InterruptedException {
		if (!this.gate.await(50, TimeUnit.SECONDS)) {
			throw new IllegalStateException("The gate was not opened");
		}
		return request;
	}

	@Test
	void aKernelThatHasNothingToDoHasNoAgesAndIsNotStuck() {
		KernelStatus status = start(options(TIMEOUT), (request) -> request).status();
		assertThat(status.oldestRequestAge()).isZero();
		assertThat(status.stuck()).isFalse();
		assertThat(status.restarts()).isZero();
		assertThat(status.deviceMemoryBytes()).isZero();
		Awaitility.await().untilAsserted(() -> {
			KernelStatus resting = this.runtime.kernel("observed").orElseThrow().status();
			assertThat(resting.activeWorkers()).isZero();
			assertThat(resting.heartbeatAge()).isZero();
		});
	}

	@Test
	void theOldestRequestAgesUntilItIsAnswered() throws Exception {
		Kernel<Number, Number> kernel = start(options(Duration.ofSeconds(50)), this::pass);
		var reply = kernel.client().submit(new Number(1));
		Awaitility.await().until(() -> kernel.status().oldestRequestAge().compareTo(Duration.ofMillis(100)) > 0);
		assertThat(kernel.status().oldestRequestAge()).isLessThan(Duration.ofSeconds(50));
		this.gate.countDown();
		reply.get(30, TimeUnit.SECONDS);
		Awaitility.await().until(() -> kernel.status().oldestRequestAge().isZero());
	}

	@Test
	void aHandlerThatDoesNotReturnMakesTheKernelStuckUntilItDoes() {
		Kernel<Number, Number> kernel = start(options(TIMEOUT), this::pass);
		assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(() -> kernel.client().call(new Number(1)));
		Awaitility.await().until(() -> kernel.status().stuck());
		assertThat(kernel.status().heartbeatAge()).isGreaterThan(TIMEOUT.dividedBy(2));
		this.gate.countDown();
		Awaitility.await().until(() -> !kernel.status().stuck());
		assertThat(kernel.client().call(new Number(2), Duration.ofSeconds(30))).isEqualTo(new Number(2));
	}

	@Test
	void aKernelThatAnswersOthersIsNotStuck() {
		Kernel<Number, Number> kernel = start(options(TIMEOUT).toBuilder().workers(4).build(),
				(request) -> (request.value() == 0) ? pass(request) : request);
		assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(() -> kernel.client().call(new Number(0)));
		KernelStatus status;
		do {
			status = statusOnceAnswered(kernel);
			assertThat(status.stuck()).isFalse();
		}
		while (status.oldestRequestAge().compareTo(TIMEOUT.multipliedBy(4)) <= 0);
	}

	/**
	 * A worker counts a request behind its answer: the look that sees the count is not
	 * stuck.
	 */
	private static KernelStatus statusOnceAnswered(Kernel<Number, Number> kernel) {
		long before = kernel.status().processed();
		kernel.client().call(new Number(1), Duration.ofSeconds(30));
		return Awaitility.await().until(kernel::status, (status) -> status.processed() > before);
	}

	@Test
	void aKernelThatIsInactiveIsNotStuck() {
		Kernel<Number, Number> kernel = start(options(TIMEOUT), (request) -> request);
		kernel.deactivate();
		Awaitility.await().during(TIMEOUT.multipliedBy(2)).until(() -> !kernel.status().stuck());
	}

	@Test
	void countsGoOnOverRestarts() {
		Kernel<Number, Number> kernel = start(options(Duration.ofSeconds(30)), (request) -> request);
		kernel.client().call(new Number(1));
		long launches = kernel.status().loopLaunches();
		assertThat(launches).isPositive();
		kernel.relaunch();
		kernel.client().call(new Number(2));
		Awaitility.await().until(() -> kernel.status().processed() == 2);
		KernelStatus status = kernel.status();
		assertThat(status.restarts()).isEqualTo(1);
		assertThat(status.processed()).isEqualTo(2);
		assertThat(status.loopLaunches()).isGreaterThan(launches);
		kernel.terminate();
		assertThat(kernel.status().loopLaunches()).isEqualTo(status.loopLaunches());
	}

	@Test
	void theLatestErrorComesFirst() {
		Kernel<Number, Number> kernel = start(options(Duration.ofSeconds(30)), (request) -> {
			throw new IllegalArgumentException("no " + request.value());
		});
		for (int i = 1; i <= 2; i++) {
			Number request = new Number(i);
			assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().call(request));
		}
		assertThat(kernel.latestErrors()).singleElement().satisfies((error) -> {
			assertThat(error.type()).isEqualTo("HandlerFailedException");
			assertThat(error.message()).contains("no 2");
			assertThat(error.count()).isEqualTo(2);
		});
	}

	@Test
	void timeoutsAndRejectionsAreErrors() {
		RingKernelHandler<Number, Number> handler = this::pass;
		KernelSpec<Number, Number> spec = KernelSpec.of("any", Number.class, Number.class, handler, options(TIMEOUT));
		Kernel<Number, Number> kernel = start(options(TIMEOUT).toBuilder()
			.backpressure(Backpressure.REJECT)
			.ringMemory(RingLayout.totalBytes(2, spec.requests().maxSize(), spec.responses().maxSize()))
			.build(), handler);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(RequestTimeoutException.class)
				.isThrownBy(() -> kernel.client().call(new Number(1)));
		}
		assertThatExceptionOfType(RingFullException.class).isThrownBy(() -> kernel.client().call(new Number(1)));
		assertThat(kernel.latestErrors()).extracting(KernelError::type)
			.containsExactly("RingFullException", "RequestTimeoutException");
		assertThat(kernel.latestErrors()).extracting(KernelError::count).containsExactly(1L, 2L);
	}

}
