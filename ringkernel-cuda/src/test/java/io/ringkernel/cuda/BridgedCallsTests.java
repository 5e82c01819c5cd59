package io.ringkernel.cuda;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
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
 * What a bridged kernel that is launched on demand asks of the driver for its messages.
 */
@Timeout(60)
class BridgedCallsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String[] WORKERS_LINES = { "a copy", "cuMemcpyDtoHAsync", "cuStreamQuery" };

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	private RingKernelRuntime runtime;

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void oneMessageTakesOneCopyInOneLaunchAndOneCopyOut() {
		Kernel<Echo, Echo> kernel = activate();
		call(kernel, 1);
		this.context.listCalls();
		call(kernel, 2);
		assertThat(this.context.calls()).startsWith("cuLaunchKernel, with its copies", "cuMemcpyHtoDAsync",
				"cuLaunchKernel", "cuStreamQuery", "a copy", "cuMemcpyDtoHAsync", "cuStreamQuery");
		assertThat(this.context.calls()).as("the counters follow when nothing else does").endsWith(WORKERS_LINES);
		assertThat(this.context.calls()).hasSize(7 + WORKERS_LINES.length);
	}

	@Test
	void whereMemoryCannotBePinnedTheCopyInIsWaitedFor() {
		this.context.failRegistrations(
				new CudaException("cuMemHostRegister", new CudaStatus(1, "CUDA_ERROR_INVALID_VALUE")), false);
		Kernel<Echo, Echo> kernel = activate();
		call(kernel, 1);
		this.context.listCalls();
		call(kernel, 2);
		assertThat(this.context.calls()).startsWith("cuLaunchKernel, with its copies", "cuMemcpyHtoDAsync",
				"cuStreamQuery", "cuLaunchKernel", "cuStreamQuery", "a copy", "cuMemcpyDtoHAsync", "cuStreamQuery");
		assertThat(this.context.calls()).endsWith(WORKERS_LINES);
		assertThat(this.context.calls()).hasSize(8 + WORKERS_LINES.length);
	}

	@Test
	void theMessagesOfALaunchShareItsCopies() {
		Kernel<Echo, Echo> kernel = activate();
		call(kernel, 1);
		List<Echo> batch = new ArrayList<>();
		for (int i = 0; i < 256; i++) {
			batch.add(Echo.of(1, i));
		}
		this.context.listCalls();
		assertThat(kernel.client().callAll(batch)).isEqualTo(batch);
		awaitCounters(kernel, 257);
		int launches = Collections.frequency(this.context.calls(), "cuLaunchKernel");
		assertThat(launches).isLessThan(256);
		// Where those of a launch go round the end of the ring, what follows is no
		// neighbour.
		assertThat(Collections.frequency(this.context.calls(), "cuMemcpyHtoDAsync")).isBetween(launches, 2 * launches);
	}

	/** Makes the first call, the second and so on. */
	private static void call(Kernel<Echo, Echo> kernel, int sequence) {
		assertThat(kernel.client().call(Echo.of(1, sequence))).isEqualTo(Echo.of(1, sequence));
		awaitCounters(kernel, sequence);
	}

	/** They are shown when nothing else is to be done. */
	private static void awaitCounters(Kernel<Echo, Echo> kernel, long processed) {
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().processed() == processed);
	}

	private Kernel<Echo, Echo> activate() {
		this.context.launches().endWithin();
		CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver));
		// Looks for more would be visits, too.
		platform.device().timings().spinNanos(0);
		this.runtime = RingKernelRuntime.open(
				new PlanRequest(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.BRIDGED),
				List.of(new CudaBackendProvider(platform)));
		Kernel<Echo, Echo> kernel = this.runtime.define(this.context
			.install(new CpuTestKernels().echo(KernelOptions.builder().workers(2).requestTimeout(LIMIT).build())));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

}
