package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.Frame;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.InPlaceRequest;
import io.ringkernel.InPlaceResponse;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.LargeVectorAddRequest;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.LargeVectorAddResponse;
import io.ringkernel.benchmarks.gpu.CurveMessages.Ends;
import io.ringkernel.benchmarks.gpu.CurveMessages.Numbers;
import io.ringkernel.benchmarks.gpu.CurveMessages.Wanted;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import jcuda.driver.CUfunction;
import org.HdrHistogram.Histogram;

/**
 * The latency of {@code call} by the size of the message, from 16 bytes to 16 MiB in
 * steps of two: in, out and both ways, with default options, each beside the usual way in
 * the same run. One kernel serves all sizes of a direction. Every first answer is
 * checked.
 */
final class CurveBenchmark {

	private static final Duration WARM_UP = Duration.ofMillis(200);

	private static final Duration MEASURED = Duration.ofMillis(300);

	private static final int[] VECTORS = { 25, 100, 512, 8_192, 131_072 };

	private final BenchmarkResults results;

	private CurveBenchmark(BenchmarkResults results) {
		this.results = results;
	}

	/**
	 * Measures the curve.
	 * @param arguments the file for the results, and which of {@code usual-way},
	 * {@code in}, {@code out}, {@code both} and {@code vector-add} to measure; none for
	 * all of them
	 */
	public static void main(String... arguments) throws IOException {
		BenchmarkDevice.require();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]))) {
			CurveBenchmark benchmark = new CurveBenchmark(results);
			List<String> all = List.of("usual-way", "in", "out", "both", "vector-add");
			List<String> chosen = List.of(arguments).subList(1, arguments.length);
			for (String part : chosen.isEmpty() ? all : chosen) {
				benchmark.measure(part);
			}
		}
		System.exit(0);
	}

	private void measure(String part) throws IOException {
		switch (part) {
			case "usual-way" -> usualWay();
			case "in" -> in();
			case "out" -> out();
			case "both" -> both();
			case "vector-add" -> vectorAdd();
			default -> throw new IllegalArgumentException("There is no '" + part + "' to measure.");
		}
	}

	private void usualWay() throws IOException {
		try (UsualWay usual = new UsualWay(CurveMessages.CAPACITY)) {
			CUfunction ends = usual.kernel("plain_ends");
			CUfunction fill = usual.kernel("plain_fill");
			CUfunction raise = usual.kernel("plain_raise");
			for (int count = 4; count <= CurveMessages.CAPACITY; count *= 2) {
				int size = count;
				float[] sent = numbers(size).values();
				float[] wanted = { size, 1 };
				measure("usual-way", "in", size, () -> usual.call(ends, sent, size, 1, 4)[1], sent[size - 1]);
				measure("usual-way", "out", size, () -> usual.call(fill, wanted, size, size, size)[size - 1],
						1f + (size - 1));
				measure("usual-way", "both", size, () -> usual.call(raise, sent, size, size, size)[size - 1],
						sent[size - 1] + 1);
			}
		}
	}

	private void in() {
		try (RingKernelRuntime runtime = runtime()) {
			RingKernelClient<Numbers, Ends> client = client(runtime, "curve_in", Numbers.class, Ends.class, Ends::of);
			for (int count = 4; count <= CurveMessages.CAPACITY; count *= 2) {
				Numbers sent = numbers(count);
				measure("call", "in", count, () -> client.call(sent).last(), sent.values()[count - 1]);
			}
		}
	}

	private void out() {
		try (RingKernelRuntime runtime = runtime()) {
			RingKernelClient<Wanted, Numbers> client = client(runtime, "curve_out", Wanted.class, Numbers.class,
					CurveMessages::filled);
			for (int count = 4; count <= CurveMessages.CAPACITY; count *= 2) {
				int size = count;
				Wanted wanted = new Wanted(size, 1);
				measure("call", "out", size, () -> client.call(wanted).values()[size - 1], 1f + (size - 1));
			}
		}
	}

	private void both() {
		try (RingKernelRuntime runtime = runtime()) {
			RingKernelClient<Numbers, Numbers> client = client(runtime, "curve_both", Numbers.class, Numbers.class,
					CurveMessages::raised);
			for (int count = 4; count <= CurveMessages.CAPACITY; count *= 2) {
				int size = count;
				Numbers sent = numbers(size);
				measure("call", "both", size, () -> client.call(sent).values()[size - 1], sent.values()[size - 1] + 1);
			}
		}
	}

	private void vectorAdd() {
		try (RingKernelRuntime runtime = runtime()) {
			RingKernelClient<LargeVectorAddRequest, LargeVectorAddResponse> client = client(runtime, "vector_add_large",
					LargeVectorAddRequest.class, LargeVectorAddResponse.class, BenchmarkMessages::addLarge);
			for (int count : VECTORS) {
				float[] vector = numbers(count).values();
				LargeVectorAddRequest request = new LargeVectorAddRequest(vector, vector);
				check(client.call(request).sum()[count - 1], 2 * vector[count - 1]);
				this.results.add("vector-add", times(() -> client.call(request).sum()[0]), "elements", count);
			}
			for (int count : VECTORS) {
				vectorAddInPlace(client.openInPlace(), count);
			}
		}
	}

	/**
	 * Adds two vectors in the memory of the ring: written anew for each call, and left
	 * there from the calls before but for the first and last number.
	 */
	private void vectorAddInPlace(InPlaceCalls calls, int count) {
		float[] ends = new float[2];
		Consumer<InPlaceRequest> all = (request) -> {
			writeAll(request.array("a", count));
			writeAll(request.array("b", count));
		};
		Consumer<InPlaceRequest> few = (request) -> {
			writeEnds(request.array("a", count));
			writeEnds(request.array("b", count));
		};
		Consumer<InPlaceResponse> reader = (response) -> {
			Frame sum = response.array("sum");
			ends[0] = sum.getFloat(0, 0);
			ends[1] = sum.getFloat(sum.size() - 1, 0);
		};
		for (Consumer<InPlaceRequest> writer : List.of(all, few)) {
			this.results.add("vector-add-in-place", times(() -> {
				calls.call(writer, reader);
				check(ends[1], 2f * (count - 1));
				return ends[0];
			}), "elements", count, "written", (writer == all) ? 2 * count : 4);
		}
	}

	private static void writeAll(Frame vector) {
		for (int i = 0; i < vector.size(); i++) {
			vector.putFloat(i, 0, i);
		}
	}

	private static void writeEnds(Frame vector) {
		vector.putFloat(0, 0, 0);
		vector.putFloat(vector.size() - 1, 0, vector.size() - 1);
	}

	private void measure(String way, String direction, int count, Supplier<Float> call, float expected) {
		check(call.get(), expected);
		this.results.add(way, times(call), "direction", direction, "bytes", count * Float.BYTES);
	}

	private static void check(float answer, float expected) {
		if (answer != expected) {
			throw new IllegalStateException("The answer is " + answer + " in place of " + expected);
		}
	}

	private static Histogram times(Supplier<Float> call) {
		return BenchmarkLoad.calls(call::get, WARM_UP.toNanos(), MEASURED.toNanos(), 0);
	}

	private static Numbers numbers(int count) {
		float[] values = new float[count];
		for (int i = 0; i < count; i++) {
			values[i] = i;
		}
		return new Numbers(values);
	}

	private static RingKernelRuntime runtime() {
		return RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CudaBackendProvider()));
	}

	private static <I extends Record, O extends Record> RingKernelClient<I, O> client(RingKernelRuntime runtime,
			String image, Class<I> requests, Class<O> responses, RingKernelHandler<I, O> handler) {
		Kernel<I, O> kernel = runtime.define(new KernelSpec<>(image.replace('_', '-'), MessageLayout.of(requests),
				MessageLayout.of(responses), handler, "classpath:kernels/" + image + ".ptx", KernelOptions.DEFAULTS));
		kernel.launch();
		kernel.activate();
		return kernel.client();
	}

}
