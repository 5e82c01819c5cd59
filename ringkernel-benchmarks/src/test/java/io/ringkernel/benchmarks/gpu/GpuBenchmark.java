package io.ringkernel.benchmarks.gpu;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.LargeVectorAddRequest;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.LargeVectorAddResponse;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload256;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddRequest;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddResponse;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.load.LoadedKernel;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.HdrHistogram.Histogram;

/**
 * Measures the CUDA backend: latency, throughput and allocation, beside the way CUDA is
 * usually called from Java and beside the CPU backend.
 */
final class GpuBenchmark implements AutoCloseable {

	/** Requests of a burst, and how long they are given to be answered. */
	private static final int BURST = 512;

	private static final long BURST_NANOS = Duration.ofMillis(1).toNanos();

	/** How often kernels are measured by turns. */
	private static final int ROUNDS = 3;

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final BenchmarkResults results;

	private final CapturingProvider cuda = new CapturingProvider();

	private RingKernelRuntime runtime;

	private GpuBenchmark(BenchmarkResults results) {
		this.results = results;
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results, and which measurements to run; none for
	 * all of them
	 */
	public static void main(String... arguments) throws Exception {
		BenchmarkDevice.require();
		List<String> chosen = List.of(arguments).subList(1, arguments.length);
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				GpuBenchmark benchmark = new GpuBenchmark(results)) {
			for (Map.Entry<String, Measurement> measurement : benchmark.measurements().entrySet()) {
				if (chosen.isEmpty() || chosen.contains(measurement.getKey())) {
					benchmark.run(measurement.getKey(), measurement.getValue());
				}
			}
		}
		System.exit(0);
	}

	private Map<String, Measurement> measurements() {
		Map<String, Measurement> measurements = new LinkedHashMap<>();
		measurements.put("round-trips", this::roundTrips);
		measurements.put("erased", this::erased);
		measurements.put("device-time", this::deviceTime);
		measurements.put("baseline", this::baseline);
		measurements.put("bursts", this::bursts);
		measurements.put("throughput", this::throughput);
		measurements.put("vector-add", this::vectorAdd);
		measurements.put("large-messages", this::largeMessages);
		return measurements;
	}

	/**
	 * A measurement that fails does not keep the others from being made.
	 */
	private void run(String name, Measurement measurement) {
		try {
			measurement.run();
		}
		catch (Exception ex) {
			ex.printStackTrace();
			this.results.add(name, "failed", ex.getClass().getSimpleName());
			close();
		}
	}

	private interface Measurement {

		void run() throws Exception;

	}

	private void roundTrips() {
		for (int workers : new int[] { 1, 32 }) {
			roundTrip("call-64B", workers, activated(echo(options(workers, 32))), Payload::of, 80);
			roundTrip("call-256B", workers, activated(spec("echo", "kernels/echo256.ptx#echo256", Payload256.class,
					Payload256.class, (request) -> request, options(workers, 32))), (i) -> {
						long[] values = new long[32];
						Arrays.fill(values, i);
						return new Payload256(values);
					}, 16 + 16 + 256);
		}
		for (int workers : new int[] { 4, 8, 16 }) {
			roundTrip("call-64B", workers, activated(echo(options(workers, 32))), Payload::of, 80);
		}
		roundTrip("call-64B-default-waiting", 32,
				activated(echo(options(32, 32).toBuilder().waitStrategy(WaitStrategy.BACK_OFF).build())), Payload::of,
				80);
	}

	/**
	 * What it costs that a worker was compiled without its messages: the same handler,
	 * compiled with messages and worker, with a worker that is told the messages, and
	 * alone. By turns, since a clock or a temperature may change meanwhile.
	 */
	private void erased() {
		for (int workers : new int[] { 1, 32 }) {
			for (int round = 0; round < ROUNDS; round++) {
				for (String image : List.of("echo", "echo_erased", "echo_linked")) {
					String location = "kernels/" + image + (image.equals("echo_linked") ? ".ptx" : ".ptx#echo");
					roundTrip("call-64B-" + image, workers, activated(spec("echo", location, Payload.class,
							Payload.class, (request) -> request, options(workers, 32))), Payload::of, 80);
				}
			}
		}
	}

	/**
	 * Measures calls and what they allocate beyond the response.
	 */
	private <I extends Record, O extends Record> void roundTrip(String measure, int workers,
			RingKernelClient<I, O> client, LongFunction<I> requests, int responseBytes) {
		I request = requests.apply(1);
		Histogram nanos = BenchmarkLoad.calls(() -> client.call(request));
		com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		int calls = 100_000;
		for (int i = 0; i < calls; i++) {
			client.call(request);
		}
		long after = threads.getCurrentThreadAllocatedBytes();
		this.results.add(measure, nanos, "workers", workers, "allocated-per-call", (after - before) / (double) calls,
				"response-record", responseBytes);
		close();
	}

	/**
	 * What the device itself takes, by its own clock.
	 */
	private void deviceTime() {
		RingKernelClient<Payload, Payload> echo = activated(spec("echo", "kernels/echo_timed.ptx#echo_timed",
				Payload.class, Payload.class, (request) -> request, options(1, 32)));
		Payload payload = Payload.of(1);
		BenchmarkLoad.calls(() -> echo.call(payload));
		this.results.add("device-echo-64B", timing());
		close();
		RingKernelClient<VectorAddRequest, VectorAddResponse> add = activated(
				spec("vector-add", "kernels/vector_add_timed.ptx#vector_add_timed", VectorAddRequest.class,
						VectorAddResponse.class, BenchmarkMessages::add, options(1, 32)));
		VectorAddRequest vectors = new VectorAddRequest(BenchmarkMessages.vector(25), BenchmarkMessages.vector(25));
		BenchmarkLoad.calls(() -> add.call(vectors));
		this.results.add("device-vector-add-25", timing());
		close();
	}

	/**
	 * Reads the samples that a timed kernel keeps at the start of its handler's state.
	 */
	private Histogram timing() {
		int samples = 1 << 16;
		ByteBuffer state = ByteBuffer.allocateDirect(64 + samples * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		LoadedKernel kernel = this.cuda.kernel();
		CudaContext context = kernel.context();
		CudaStream stream = context.createStream();
		context.download(state, kernel.memory().user(), stream);
		while (!context.isDone(stream)) {
			Thread.onSpinWait();
		}
		context.destroy(stream);
		long count = Math.min(samples, state.getLong(0));
		double nanosPerCycle = (double) (state.getLong(32) - state.getLong(16))
				/ (state.getLong(24) - state.getLong(8));
		Histogram nanos = new Histogram(3);
		for (int i = 0; i < count; i++) {
			nanos.recordValue(Math.round(Integer.toUnsignedLong(state.getInt(64 + i * Integer.BYTES)) * nanosPerCycle));
		}
		return nanos;
	}

	private void baseline() throws Exception {
		for (int size : new int[] { 25, 4096, 1 << 20 }) {
			JCudaVectorAdd baseline = new JCudaVectorAdd(size);
			float[] a = BenchmarkMessages.vector(size);
			float[] b = BenchmarkMessages.vector(size);
			this.results.add("jcuda-copy-launch-copy-synchronize", BenchmarkLoad.calls(() -> baseline.add(a, b)),
					"elements", size);
			baseline.close();
		}
	}

	/**
	 * What sending and receiving take the host: one thread sends some requests, waits
	 * until they must have been answered, and receives the responses.
	 */
	private void bursts() {
		for (int workers : new int[] { 4, 32, 128 }) {
			RingKernelClient<Payload, Payload> client = activated(echo(options(workers, 32)));
			Payload request = Payload.of(1);
			Histogram sending = new Histogram(3);
			Histogram receiving = new Histogram(3);
			try (RequestStream<Payload, Payload> stream = client.openStream()) {
				long warm = System.nanoTime() + BenchmarkLoad.WARM_UP_NANOS;
				for (long end = warm + BenchmarkLoad.NANOS; System.nanoTime() < end;) {
					long begin = System.nanoTime();
					for (int i = 0; i < BURST; i++) {
						stream.send(request);
					}
					long sent = System.nanoTime();
					while (System.nanoTime() - sent < BURST_NANOS) {
						Thread.onSpinWait();
					}
					long answered = System.nanoTime();
					for (int i = 0; i < BURST; i++) {
						stream.receive();
					}
					long received = System.nanoTime();
					if (begin > warm) {
						sending.recordValue((sent - begin) / BURST);
						receiving.recordValue((received - answered) / BURST);
					}
				}
			}
			this.results.add("burst-send-64B", sending, "workers", workers);
			this.results.add("burst-receive-64B", receiving, "workers", workers);
			close();
		}
	}

	private void throughput() throws Exception {
		for (int workers : new int[] { 32, 64, 128 }) {
			for (int kibibytes : new int[] { 72, 1024 }) {
				RingKernelClient<Payload, Payload> client = activated(
						echo(options(workers, 32).toBuilder().ringMemory(kibibytes << 10).build()));
				Payload request = Payload.of(1);
				double perSecond = BenchmarkLoad.streamed(client, (i) -> request);
				this.results.add("stream-64B", "workers", workers, "ring-memory-KiB", kibibytes, "unit", "M/s", "rate",
						perSecond / 1e6);
				close();
			}
		}
		RingKernelClient<Payload, Payload> client = activated(echo(options(32, 32)));
		this.results.add("submit-64B", "workers", 32, "unit", "M/s", "rate",
				BenchmarkLoad.submitted(client, Payload.of(1)) / 1e6);
		close();
	}

	private void largeMessages() throws Exception {
		LargePayload payload = new LargePayload(new int[LargePayload.CAPACITY - 4]);
		Arrays.setAll(payload.words(), (i) -> i);
		for (int[] shape : new int[][] { { 32, 32 }, { 32, 128 }, { 64, 256 } }) {
			KernelOptions options = options(shape[0], shape[1]).toBuilder().ringMemory(64 << 20).build();
			RingKernelClient<LargePayload, LargePayload> client = activated(spec("echo-large", "kernels/echo_large.ptx",
					LargePayload.class, LargePayload.class, (request) -> request, options));
			Histogram nanos = BenchmarkLoad.calls(() -> client.call(payload));
			double byteRate = payload.words().length * 4 / 1e9;
			this.results.add("stream-64KiB", nanos, "workers", shape[0], "threads", shape[1], "GB/s-each-way",
					BenchmarkLoad.streamed(client, (i) -> payload) * byteRate, "GB/s-each-way-by-4-streams",
					BenchmarkLoad.streamed(4, client, (i) -> payload) * byteRate, "GB/s-each-way-by-7-streams",
					BenchmarkLoad.streamed(7, client, (i) -> payload) * byteRate, "calls-are", "latency");
			close();
		}
	}

	private void vectorAdd() throws Exception {
		for (boolean gpu : new boolean[] { true, false }) {
			for (int size : new int[] { 10, 25, 100, 4096 }) {
				KernelOptions options = options(gpu ? 32 : 1, gpu && size > 1024 ? 256 : 32);
				RingKernelClient<VectorAddRequest, VectorAddResponse> client = activated(
						gpu ? this.cuda : new CpuBackendProvider(), spec("vector-add", "kernels/vector_add.ptx",
								VectorAddRequest.class, VectorAddResponse.class, BenchmarkMessages::add, options));
				VectorAddRequest request = new VectorAddRequest(BenchmarkMessages.vector(size),
						BenchmarkMessages.vector(size));
				vectorAdd(gpu, size, client, request);
			}
			KernelOptions options = options(gpu ? 16 : 1, gpu ? 1024 : 32).toBuilder().ringMemory(256 << 20).build();
			RingKernelClient<LargeVectorAddRequest, LargeVectorAddResponse> client = activated(
					gpu ? this.cuda : new CpuBackendProvider(),
					spec("vector-add-large", "kernels/vector_add_large.ptx", LargeVectorAddRequest.class,
							LargeVectorAddResponse.class, BenchmarkMessages::addLarge, options));
			int size = BenchmarkMessages.LARGE_CAPACITY;
			vectorAdd(gpu, size, client,
					new LargeVectorAddRequest(BenchmarkMessages.vector(size), BenchmarkMessages.vector(size)));
		}
	}

	private <I extends Record, O extends Record> void vectorAdd(boolean gpu, int size, RingKernelClient<I, O> client,
			I request) throws Exception {
		Histogram nanos = BenchmarkLoad.calls(() -> client.call(request));
		double perSecond = BenchmarkLoad.streamed(client, (i) -> request);
		this.results.add("vector-add", nanos, "backend", gpu ? "cuda" : "cpu", "elements", size, "messages-per-second",
				perSecond);
		close();
	}

	private static KernelSpec<Payload, Payload> echo(KernelOptions options) {
		return spec("echo", "kernels/echo.ptx", Payload.class, Payload.class, (request) -> request, options);
	}

	private static <I extends Record, O extends Record> KernelSpec<I, O> spec(String id, String image,
			Class<I> requests, Class<O> responses, RingKernelHandler<I, O> handler, KernelOptions options) {
		return new KernelSpec<>(id, MessageLayout.of(requests), MessageLayout.of(responses), handler,
				"classpath:" + image, options);
	}

	private static KernelOptions options(int workers, int threads) {
		return KernelOptions.builder()
			.workers(workers)
			.threadsPerWorker(threads)
			.requestTimeout(TIMEOUT)
			.waitStrategy(WaitStrategy.BUSY_SPIN)
			.build();
	}

	private <I extends Record, O extends Record> RingKernelClient<I, O> activated(KernelSpec<I, O> spec) {
		return activated(this.cuda, spec);
	}

	private <I extends Record, O extends Record> RingKernelClient<I, O> activated(BackendProvider provider,
			KernelSpec<I, O> spec) {
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider));
		Kernel<I, O> kernel = this.runtime.define(spec);
		kernel.launch();
		kernel.activate();
		return kernel.client();
	}

	@Override
	public void close() {
		RingKernelRuntime open = this.runtime;
		this.runtime = null;
		if (open != null) {
			open.close();
		}
	}

}
