package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.cuda.simulated.SimulatedPlatform;
import io.ringkernel.exception.RequestLostException;
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
 * What becomes of requests whose answers a bridge has not fetched when the device is
 * lost.
 */
@Timeout(60)
class BridgedLossTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final int REQUESTS = 32;

	/** The device is lost while it handles this one. */
	private static final int LAST = 20;

	private static final SimulatedPlatform WITHOUT_MAPPING = new SimulatedPlatform(false, true, true, true);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final SimulatedContext context = this.driver.context();

	private final ConcurrentHashMap<Long, Integer> handled = new ConcurrentHashMap<>();

	private final CountDownLatch sent = new CountDownLatch(1);

	private RingKernelRuntime runtime;

	@AfterEach
	void close() {
		this.sent.countDown();
		this.runtime.close();
	}

	@Test
	void noRequestIsHandledTwiceThatWasAnsweredOnTheDeviceAlone() {
		Kernel<Echo, Echo> kernel = activate();
		List<CompletableFuture<Echo>> replies = IntStream.range(0, REQUESTS)
			.mapToObj((i) -> kernel.client().submit(Echo.of(1, i)))
			.toList();
		this.sent.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> replies.stream().allMatch(CompletableFuture::isDone));
		assertThat(replies).filteredOn(CompletableFuture::isCompletedExceptionally)
			.isNotEmpty()
			.allSatisfy((reply) -> assertThat(reply).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(RequestLostException.class));
		Awaitility.await().atMost(LIMIT).until(() -> kernel.plan().backend() == BackendKind.CPU);
		assertThat(this.handled).doesNotContainValue(2);
	}

	private Echo handle(Echo request) {
		this.handled.merge(request.sequence(), 1, Integer::sum);
		if (request.sequence() == 0) {
			awaitAll();
		}
		if (request.sequence() == LAST) {
			this.context.fault(new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS"));
		}
		return request;
	}

	private void awaitAll() {
		try {
			assertThat(this.sent.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private Kernel<Echo, Echo> activate() {
		this.context.platform(WITHOUT_MAPPING);
		CudaPlatform platform = new CudaPlatform(CudaDriver.bounded(this.driver));
		this.runtime = RingKernelRuntime.open(new PlanRequest(null, ExecutionMode.EVENT_DRIVEN, null),
				List.of(new CudaBackendProvider(platform), new CpuBackendProvider()));
		Kernel<Echo, Echo> kernel = this.runtime.define(this.context.install(KernelSpec.of("echo", Echo.class,
				Echo.class, this::handle, KernelOptions.builder().workers(1).requestTimeout(LIMIT).build())));
		kernel.launch();
		kernel.activate();
		assertThat(kernel.plan().transport()).isEqualTo(Transport.BRIDGED);
		return kernel;
	}

}
