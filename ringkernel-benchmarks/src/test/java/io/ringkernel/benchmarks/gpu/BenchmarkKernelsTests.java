package io.ringkernel.benchmarks.gpu;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.LargeVectorAddRequest;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.LargeVectorAddResponse;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload256;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.PayloadFrame;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddRequest;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddResponse;
import io.ringkernel.cuda.RequiresGpu;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The images of the benchmarks answer what their handlers answer. They are on the class
 * path of the benchmarks only.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BenchmarkKernelsTests {

	private static final PlanRequest CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@Test
	void payloadsComeBack() {
		List<Payload> payloads = IntStream.range(0, 100).mapToObj(Payload::of).toList();
		assertThat(answers("echo.ptx#echo", Payload.class, Payload.class, (request) -> request, 32, payloads))
			.isEqualTo(payloads);
		assertThat(
				answers("echo_timed.ptx#echo_timed", Payload.class, Payload.class, (request) -> request, 32, payloads))
			.isEqualTo(payloads);
		assertThat(answers("echo_erased.ptx#echo", Payload.class, Payload.class, (request) -> request, 32, payloads))
			.isEqualTo(payloads);
		assertThat(answers("echo_linked.ptx", Payload.class, Payload.class, (request) -> request, 32, payloads))
			.isEqualTo(payloads);
	}

	@Test
	void payloadsComeBackInAFrame() {
		Payload[] payloads = IntStream.range(0, BenchmarkMessages.FRAME_CAPACITY)
			.mapToObj(Payload::of)
			.toArray(Payload[]::new);
		assertThat(answers("frames.ptx#frames", PayloadFrame.class, PayloadFrame.class, (request) -> request, 32,
				List.of(new PayloadFrame(payloads)))
			.get(0)
			.payloads()).isEqualTo(payloads);
	}

	@Test
	void longerPayloadsComeBack() {
		List<Payload256> payloads = List.of(new Payload256(IntStream.range(0, 32).asLongStream().toArray()));
		assertThat(
				answers("echo256.ptx#echo256", Payload256.class, Payload256.class, (request) -> request, 32, payloads)
					.get(0)
					.values())
			.isEqualTo(payloads.get(0).values());
	}

	@Test
	void largePayloadsComeBack() {
		List<LargePayload> payloads = List.of(new LargePayload(IntStream.range(0, LargePayload.CAPACITY).toArray()));
		assertThat(answers("echo_large.ptx#echo_large", LargePayload.class, LargePayload.class, (request) -> request,
				128, payloads)
			.get(0)
			.words()).isEqualTo(payloads.get(0).words());
	}

	@Test
	void vectorsAreAdded() {
		VectorAddRequest request = new VectorAddRequest(BenchmarkMessages.vector(25), BenchmarkMessages.vector(25));
		assertThat(answers("vector_add_timed.ptx#vector_add_timed", VectorAddRequest.class, VectorAddResponse.class,
				BenchmarkMessages::add, 32, List.of(request))
			.get(0)
			.sum()).isEqualTo(BenchmarkMessages.add(request).sum());
	}

	@Test
	void largeVectorsAreAdded() {
		int size = BenchmarkMessages.LARGE_CAPACITY;
		LargeVectorAddRequest request = new LargeVectorAddRequest(BenchmarkMessages.vector(size),
				BenchmarkMessages.vector(size));
		assertThat(answers("vector_add_large.ptx#vector_add_large", LargeVectorAddRequest.class,
				LargeVectorAddResponse.class, BenchmarkMessages::addLarge, 1024, List.of(request))
			.get(0)
			.sum()).isEqualTo(BenchmarkMessages.addLarge(request).sum());
	}

	private static <I extends Record, O extends Record> List<O> answers(String image, Class<I> requests,
			Class<O> responses, RingKernelHandler<I, O> handler, int threads, List<I> sent) {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(CUDA)) {
			KernelOptions options = KernelOptions.builder()
				.workers(4)
				.threadsPerWorker(threads)
				.ringMemory(256 << 20)
				.requestTimeout(PATIENCE)
				.build();
			Kernel<I, O> kernel = runtime.define(new KernelSpec<>("benchmark", MessageLayout.of(requests),
					MessageLayout.of(responses), handler, "classpath:kernels/" + image, options));
			kernel.launch();
			kernel.activate();
			return kernel.client().callAll(sent);
		}
	}

}
