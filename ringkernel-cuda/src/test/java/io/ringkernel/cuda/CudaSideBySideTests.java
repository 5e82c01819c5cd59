package io.ringkernel.cuda;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.conformance.TestKernels.VectorAddRequest;
import io.ringkernel.conformance.TestKernels.VectorAddResponse;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several kernels on one device, which come and go while others run.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaSideBySideTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final TestKernels kernels = new CudaTestKernels();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null));

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void aKernelIsAddedAndTakenAwayWhileAnotherIsBusyAndNothingIsLost() throws Exception {
		Kernel<Echo, Echo> echo = activate(this.kernels.echo(options()));
		AtomicBoolean done = new AtomicBoolean();
		AtomicLong answered = new AtomicLong();
		Concurrently.Running callers = Concurrently.start(4, (thread) -> {
			for (long sequence = 0; !done.get(); sequence++) {
				Echo request = Echo.of(thread, sequence);
				if (!echo.client().call(request).equals(request)) {
					throw new AssertionError("Another response than the request " + request);
				}
				answered.incrementAndGet();
			}
		});
		for (int round = 0; round < 5; round++) {
			Kernel<VectorAddRequest, VectorAddResponse> added = activate(
					CudaTestKernels.renamed("vector-add-" + round, this.kernels.vectorAdd(options())));
			VectorAddRequest request = new VectorAddRequest(new float[] { 1, 2, 3 }, new float[] { 10, 20, 30 });
			assertThat(added.client().call(request).sum()).containsExactly(11, 22, 33);
			added.terminate();
			long before = answered.get();
			Awaitility.await().atMost(LIMIT).until(() -> answered.get() > before + 100);
		}
		done.set(true);
		callers.join(LIMIT);
		// Counts are written behind the answers.
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(echo.status().processed()).isEqualTo(answered.get()));
		assertThat(echo.status().loopLaunches()).isGreaterThanOrEqualTo(6);
	}

	@Test
	void manyKernelsRunAtOnce() {
		List<Kernel<Echo, Echo>> all = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			all.add(activate(CudaTestKernels.renamed("echo-" + i, this.kernels.echo(options()))));
		}
		for (int round = 0; round < 1000; round++) {
			Echo request = Echo.of(round, round);
			assertThat(all.get(round % all.size()).client().call(request)).isEqualTo(request);
		}
	}

	@Test
	void aStuckKernelIsReportedInTimeAndKeepsItsMemoryUntilItEnds() {
		KernelOptions impatient = options().toBuilder()
			.stopTimeout(Duration.ofMillis(200))
			.drainTimeout(Duration.ZERO)
			.build();
		Kernel<Slow, Slow> slow = activate(this.kernels.slow(impatient));
		CompletableFuture<Slow> reply = slow.client().submit(new Slow(1, 1, 4_000_000));
		Awaitility.await().atMost(LIMIT).until(() -> slow.status().activeWorkers() > 0);
		Awaitility.await().pollDelay(Duration.ofMillis(50)).atMost(LIMIT).until(() -> !reply.isDone());
		// Later than when the kernel has ended, there is no such exception.
		assertThatExceptionOfType(KernelStuckException.class).isThrownBy(slow::terminate);
		assertThat(slow.state()).isEqualTo(KernelState.FAILED);
		assertThat(reply).failsWithin(LIMIT);
		Kernel<Echo, Echo> other = this.runtime
			.define(this.kernels.echo(options().toBuilder().stopTimeout(Duration.ofMillis(100)).build()));
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(other::launch)
			.withMessageContaining("'slow'");
		Awaitility.await().atMost(LIMIT).ignoreExceptions().until(() -> {
			other.launch();
			return true;
		});
		other.activate();
		Echo request = Echo.of(1, 2);
		assertThat(other.client().call(request)).isEqualTo(request);
		slow.relaunch();
		assertThat(slow.client().call(new Slow(1, 2, 10))).isEqualTo(new Slow(1, 2, 10));
	}

	private static KernelOptions options() {
		return KernelOptions.builder().workers(4).requestTimeout(LIMIT).build();
	}

	private <I extends Record, O extends Record> Kernel<I, O> activate(KernelSpec<I, O> spec) {
		Kernel<I, O> kernel = this.runtime.define(spec);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

}
