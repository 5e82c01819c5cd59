package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.cuda.simulated.SimulatedPlatform;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler that takes its time where a running kernel holds up the driver, as under
 * WSL2.
 */
@Timeout(60)
class SlowHandlerTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	/**
	 * How long calls of the driver may take: longer than the probe has its kernel wait.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(400);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	private RingKernelRuntime runtime;

	@AfterEach
	void close() {
		this.release.countDown();
		this.runtime.close();
	}

	@Test
	void itMayTakeTwiceTheTimeOfARequest() throws Exception {
		Kernel<Echo, Echo> kernel = activate(Duration.ofSeconds(10));
		CompletableFuture<Echo> held = hold(kernel);
		this.release.countDown();
		assertThat(held).succeedsWithin(LIMIT).isEqualTo(Echo.of(1, 1));
		assertThat(kernel.client().call(Echo.of(1, 2), LIMIT)).isEqualTo(Echo.of(1, 2));
		assertThat(kernel.status().state()).isEqualTo(KernelState.ACTIVE);
	}

	@Test
	void ifItTakesLongerItsKernelFailsWithWhatToRaise() throws Exception {
		Kernel<Echo, Echo> kernel = activate(PATIENCE);
		CompletableFuture<Echo> held = hold(kernel);
		this.release.countDown();
		assertThat(held).as("the kernel was waited for").succeedsWithin(LIMIT).isEqualTo(Echo.of(1, 1));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().state() == KernelState.FAILED);
		assertThat(kernel.status().lastFailure()).contains("the driver did not return from cuLaunchKernel",
				"a handler may take twice the request-timeout of its kernel");
	}

	/** Has a request handled for far longer than the driver's calls may take at first. */
	private CompletableFuture<Echo> hold(Kernel<Echo, Echo> kernel) throws InterruptedException {
		CompletableFuture<Echo> reply = kernel.client().submit(Echo.of(1, 1), LIMIT);
		assertThat(this.begun.await(10, TimeUnit.SECONDS)).isTrue();
		Awaitility.await()
			.during(PATIENCE.multipliedBy(5))
			.atMost(LIMIT)
			.until(() -> kernel.status().state() == KernelState.ACTIVE && !reply.isDone());
		return reply;
	}

	private Kernel<Echo, Echo> activate(Duration requestTimeout) {
		this.driver.context().platform(SimulatedPlatform.WSL2);
		this.runtime = RingKernelRuntime.open(
				new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.BRIDGED),
				List.of(new CudaBackendProvider(new CudaPlatform(CudaDriver.bounded(this.driver, PATIENCE)))));
		Kernel<Echo, Echo> kernel = this.runtime.define(this.driver.context()
			.install(KernelSpec.of("held", Echo.class, Echo.class, this::handle,
					KernelOptions.builder()
						.workers(1)
						.requestTimeout(requestTimeout)
						.drainTimeout(Duration.ofSeconds(1))
						.build())));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private Echo handle(Echo request) throws InterruptedException {
		this.begun.countDown();
		this.release.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
		return request;
	}

}
