package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.JavaHandlers.Bytes;
import io.ringkernel.benchmarks.gpu.JavaHandlers.Count;
import io.ringkernel.benchmarks.gpu.JavaHandlers.ManyBytes;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddRequest;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddResponse;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code call} takes of a kernel whose handler is compiled from Java, beside the
 * same from an image in CUDA C++. The two take turns in one process, and one of them is
 * active at a time: a host's pace changes from minute to minute.
 */
final class HandlerCallBenchmark {

	private static final int TURNS = 7;

	private static final long WARM_UP_NANOS = Duration.ofMillis(300).toNanos();

	private static final long NANOS = Duration.ofMillis(400).toNanos();

	private static final double BAR = 1.03;

	/** What a pipeline of two kernels may take more than a call of one. */
	private static final double PIPELINE_NANOS = 1500;

	/** What the example of vectors adds. */
	private static final int FLOATS = 25;

	private final RingKernelRuntime runtime;

	private final BenchmarkResults results;

	private HandlerCallBenchmark(RingKernelRuntime runtime, BenchmarkResults results) {
		this.runtime = runtime;
		this.results = results;
	}

	/**
	 * Runs the measurements, and prints a table last.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws IOException {
		BenchmarkDevice.require();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null))) {
			HandlerCallBenchmark benchmark = new HandlerCallBenchmark(runtime, results);
			String echo = benchmark.compare("echo", Payload.class, Payload.class, new JavaHandlers.Echo(),
					Payload.of(1), Payload::equals);
			VectorAddRequest vectors = new VectorAddRequest(BenchmarkMessages.vector(FLOATS),
					BenchmarkMessages.vector(FLOATS));
			String add = benchmark.compare("vector-add", VectorAddRequest.class, VectorAddResponse.class,
					new JavaHandlers.VectorAdd(), vectors, (one, other) -> Arrays.equals(one.sum(), other.sum()));
			System.out.println("call p50     Java ns   C++ ns   ratio   bar");
			System.out.println(echo);
			System.out.println(add);
			benchmark.pipeline();
			benchmark.capacity();
		}
		System.exit(0);
	}

	/** A pipeline of two kernels, beside a call of one and calls of both. */
	private void pipeline() {
		Kernel<VectorAddRequest, VectorAddResponse> one = kernel("one", VectorAddRequest.class, VectorAddResponse.class,
				new JavaHandlers.VectorAdd(), null);
		Kernel<VectorAddResponse, VectorAddRequest> other = kernel("other", VectorAddResponse.class,
				VectorAddRequest.class, new JavaHandlers.Twice(), null);
		Kernel<VectorAddRequest, VectorAddRequest> both = kernel("both", VectorAddRequest.class, VectorAddRequest.class,
				new JavaHandlers.VectorAdd().andThen(new JavaHandlers.Twice()), null);
		List.of(one, other, both).forEach(Kernel::activate);
		VectorAddRequest request = new VectorAddRequest(BenchmarkMessages.vector(FLOATS),
				BenchmarkMessages.vector(FLOATS));
		double[] nanos = medians(() -> one.client().call(request),
				() -> other.client().call(one.client().call(request)), () -> both.client().call(request));
		double single = nanos[0];
		double pipelined = nanos[2];
		this.results.add("pipeline-call", "one-nanos", single, "two-calls-nanos", nanos[1], "pipeline-nanos",
				pipelined);
		System.out.printf(Locale.ROOT,
				"call p50: one %.0f ns, two after another %.0f, a pipeline of both %.0f <= %.0f %s%n", single, nanos[1],
				pipelined, single + PIPELINE_NANOS, (pipelined <= single + PIPELINE_NANOS) ? "ok" : "MISSED");
	}

	/** A request of 64 bytes of a kernel that takes 64, and of one that takes 16 MiB. */
	private void capacity() {
		Kernel<Bytes, Count> small = kernel("small", Bytes.class, Count.class, new JavaHandlers.Small(), null);
		Kernel<ManyBytes, Count> large = kernel("large", ManyBytes.class, Count.class, new JavaHandlers.Large(), null);
		List.of(small, large).forEach(Kernel::activate);
		Bytes few = new Bytes(new byte[64]);
		ManyBytes many = new ManyBytes(new byte[64]);
		double[] nanos = medians(() -> small.client().call(few), () -> large.client().call(many));
		this.results.add("capacity-call", "small-nanos", nanos[0], "large-nanos", nanos[1]);
		System.out.printf(Locale.ROOT, "call p50 of 64 B: capacity 64 B %.0f ns, 16 MiB %.0f%n", nanos[0], nanos[1]);
	}

	/** The median of each call's p50 in nanoseconds; the calls take turns. */
	private static double[] medians(Supplier<?>... calls) {
		double[][] nanos = new double[calls.length][TURNS];
		for (int turn = 0; turn < TURNS; turn++) {
			for (int i = 0; i < calls.length; i++) {
				nanos[i][turn] = BenchmarkLoad.calls(calls[i]::get, WARM_UP_NANOS, NANOS, 0).getValueAtPercentile(50);
			}
		}
		return Arrays.stream(nanos).mapToDouble((each) -> {
			Arrays.sort(each);
			return each[TURNS / 2];
		}).toArray();
	}

	private <I extends Record, O extends Record> String compare(String id, Class<I> requests, Class<O> responses,
			RingKernelHandler<I, O> handler, I request, BiPredicate<O, O> same) {
		Kernel<I, O> java = kernel(id + "-java", requests, responses, handler, null);
		Kernel<I, O> image = kernel(id + "-image", requests, responses, handler,
				"classpath:kernels/%s.ptx".formatted(id.replace('-', '_')));
		double[] ofJava = new double[TURNS];
		double[] ofImage = new double[TURNS];
		for (int turn = 0; turn < TURNS; turn++) {
			boolean last = turn == TURNS - 1;
			O fromJava = turn(java, request, ofJava, turn, last);
			O fromImage = turn(image, request, ofImage, turn, last);
			if (!same.test(fromJava, fromImage)) {
				throw new IllegalStateException("'%s' answers otherwise in Java and in C++".formatted(id));
			}
		}
		Arrays.sort(ofJava);
		Arrays.sort(ofImage);
		double ratio = ofJava[TURNS / 2] / ofImage[TURNS / 2];
		this.results.add("handler-call", "id", id, "java-nanos", ofJava[TURNS / 2], "image-nanos", ofImage[TURNS / 2],
				"ratio", ratio, "bar", BAR);
		return String.format(Locale.ROOT, "%-12s %7.0f %8.0f %7.3f  <= %.2f %s", id, ofJava[TURNS / 2],
				ofImage[TURNS / 2], ratio, BAR, (ratio <= BAR) ? "ok" : "MISSED");
	}

	private <I extends Record, O extends Record> Kernel<I, O> kernel(String id, Class<I> requests, Class<O> responses,
			RingKernelHandler<I, O> handler, @Nullable String image) {
		Kernel<I, O> kernel = this.runtime.define(new KernelSpec<>(id, MessageLayout.of(requests),
				MessageLayout.of(responses), handler, image, KernelOptions.DEFAULTS));
		kernel.launch();
		return kernel;
	}

	/** One of the two, while the other is inactive. */
	private <I extends Record, O extends Record> O turn(Kernel<I, O> kernel, I request, double[] nanos, int turn,
			boolean last) {
		kernel.activate();
		RingKernelClient<I, O> client = kernel.client();
		Histogram histogram = BenchmarkLoad.calls(() -> client.call(request), WARM_UP_NANOS, NANOS, 0);
		nanos[turn] = histogram.getValueAtPercentile(50);
		O response = client.call(request);
		if (last) {
			kernel.terminate();
		}
		else {
			kernel.deactivate();
		}
		return response;
	}

}
