package io.ringkernel.cuda;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A persistent kernel that is told to stop while a handler of it does not return.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnrestedKernelTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final CountDownLatch entered = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	@Test
	void isNotActiveBeforeItHasComeToRestAndServesOnceItHas() throws Exception {
		try (RingKernelRuntime runtime = open()) {
			Kernel<Echo, Echo> kernel = relaunch(runtime);
			CompletableFuture<Echo> held = hold(kernel);
			assertThatExceptionOfType(KernelStuckException.class).isThrownBy(kernel::deactivate);
			assertThatExceptionOfType(KernelStuckException.class).isThrownBy(kernel::activate)
				.withMessageContaining("did not come to rest");
			assertThat(kernel.state()).isEqualTo(KernelState.INACTIVE);
			this.gate.countDown();
			assertThat(held).succeedsWithin(LIMIT).isEqualTo(Echo.of(1, 1));
			kernel.activate();
			assertThat(kernel.client().call(Echo.of(1, 2), LIMIT)).isEqualTo(Echo.of(1, 2));
		}
		finally {
			this.gate.countDown();
		}
	}

	@Test
	void servesOnceItHasComeToRestAfterASnapshotThatCouldNotBeTaken(@TempDir Path directory) throws Exception {
		try (RingKernelRuntime runtime = open()) {
			Kernel<Echo, Echo> kernel = relaunch(runtime);
			CompletableFuture<Echo> held = hold(kernel);
			assertThatExceptionOfType(KernelStuckException.class)
				.isThrownBy(() -> kernel.snapshot(directory.resolve("state")))
				.satisfies((ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(KernelStuckException.class));
			assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
			this.gate.countDown();
			assertThat(held).succeedsWithin(LIMIT).isEqualTo(Echo.of(1, 1));
			assertThat(kernel.client().call(Echo.of(1, 2), LIMIT)).isEqualTo(Echo.of(1, 2));
		}
		finally {
			this.gate.countDown();
		}
	}

	private RingKernelRuntime open() {
		CudaPlatform platform = new CudaPlatform(this.driver);
		RingKernelRuntime runtime = RingKernelRuntime.open(
				new PlanRequest(BackendKind.CUDA, ExecutionMode.PERSISTENT, null),
				List.of(new CudaBackendProvider(platform)));
		platform.device().timings().patience(Duration.ofMillis(900));
		return runtime;
	}

	private Kernel<Echo, Echo> relaunch(RingKernelRuntime runtime) {
		Kernel<Echo, Echo> kernel = runtime.define(this.driver.context().install(spec()));
		kernel.relaunch();
		return kernel;
	}

	private CompletableFuture<Echo> hold(Kernel<Echo, Echo> kernel) throws InterruptedException {
		CompletableFuture<Echo> held = kernel.client().submit(Echo.of(1, 1), LIMIT);
		assertThat(this.entered.await(10, TimeUnit.SECONDS)).isTrue();
		return held;
	}

	private KernelSpec<Echo, Echo> spec() {
		return KernelSpec.of("echo", Echo.class, Echo.class, (request) -> {
			this.entered.countDown();
			awaitGate();
			return request;
		}, KernelOptions.builder().workers(2).stopTimeout(Duration.ofMillis(200)).build());
	}

	private void awaitGate() {
		try {
			assertThat(this.gate.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("no thread interrupts a simulated kernel", ex);
		}
	}

}
