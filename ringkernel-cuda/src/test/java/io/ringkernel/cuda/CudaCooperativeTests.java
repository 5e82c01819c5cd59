package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Counted;
import io.ringkernel.conformance.TestKernels.Counter;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers of a kernel that wait for each other: each request is answered with how many
 * all of them have brought.
 */
@RequiresGpu
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaCooperativeTests {

	private static final int WORKERS = 8;

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void eachWorkerWaitsForAllOthers(ExecutionMode mode) {
		try (RingKernelRuntime runtime = open(mode)) {
			Kernel<Counter, Counted> kernel = active(runtime);
			for (long round = 1; round <= 20; round++) {
				List<Counter> requests = LongStream.range(0, WORKERS).mapToObj((i) -> new Counter(i, 0)).toList();
				assertThat(kernel.client().callAll(requests)).extracting(Counted::order).containsOnly(round * WORKERS);
			}
		}
	}

	@Test
	void whoWaitsForOthersThatDoNotComeFailsWithTheKernelsEnd() {
		try (RingKernelRuntime runtime = open(null)) {
			Kernel<Counter, Counted> kernel = active(runtime);
			List<CompletableFuture<Counted>> waiting = Stream.generate(() -> kernel.client().submit(new Counter(1, 1)))
				.limit(WORKERS - 1)
				.toList();
			kernel.terminate();
			assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
			Awaitility.await()
				.atMost(LIMIT)
				.untilAsserted(() -> assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally));
		}
	}

	@Test
	void whoWaitsMakesWayForAKernelThatIsAddedAndWaitsAgain() {
		try (RingKernelRuntime runtime = open(null)) {
			Kernel<Counter, Counted> kernel = active(runtime);
			List<CompletableFuture<Counted>> waiting = Stream.generate(() -> kernel.client().submit(new Counter(1, 1)))
				.limit(WORKERS - 1)
				.toList();
			runtime.define(new CudaTestKernels().echo(KernelOptions.DEFAULTS)).launch();
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
			assertThat(kernel.client().call(new Counter(2, 2)).order()).isEqualTo(WORKERS);
			assertThat(waiting).allSatisfy((reply) -> assertThat(reply.join().order()).isEqualTo(WORKERS));
		}
	}

	/** The device, in the process of the application. */
	RingKernelRuntime open(ExecutionMode mode) {
		return RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, mode, null));
	}

	private static Kernel<Counter, Counted> active(RingKernelRuntime runtime) {
		KernelOptions options = KernelOptions.builder()
			.workers(WORKERS)
			.requestTimeout(LIMIT)
			.drainTimeout(Duration.ofMillis(100))
			.build();
		Kernel<Counter, Counted> kernel = runtime.define(CudaTestKernels
			.withImage(new CudaTestKernels().counter(options), "classpath:kernels/handlers/meeting.ptx"));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

}
