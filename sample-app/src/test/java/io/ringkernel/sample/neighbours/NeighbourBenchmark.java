package io.ringkernel.sample.neighbours;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures the nearest-neighbour search, one query at a time, beside what the device
 * takes to copy memory. The arguments are the file that results are added to, and what
 * searches: {@code cuda} (the default), {@code java} for the handler that is compiled for
 * the device, or {@code cpu}, and how many vectors (a million).
 */
final class NeighbourBenchmark implements AutoCloseable {

	private static final int DIMENSIONS = 128;

	private static final int K = 10;

	private static final int DISTINCT_QUERIES = 64;

	private static final int VERIFIED_QUERIES = 10;

	/** What sums of floats in another order may differ by. */
	private static final double TOLERANCE = 1e-5;

	private static final long WARM_UP_NANOS = Duration.ofSeconds(2).toNanos();

	private static final long NANOS = Duration.ofSeconds(Integer.getInteger("ringkernel.bench.seconds", 3)).toNanos();

	private final Path results;

	private final boolean inJava;

	private final NearestNeighboursProperties properties;

	private final List<IndexedVector> vectors;

	private final float[][] queries;

	private RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider()));

	private NeighbourBenchmark(Path results, boolean inJava, int count) {
		this.results = results;
		this.inJava = inJava;
		this.properties = new NearestNeighboursProperties(DIMENSIONS, count);
		this.vectors = IntStream.range(0, count).mapToObj((id) -> new IndexedVector(id, vector(id))).toList();
		this.queries = IntStream.range(0, DISTINCT_QUERIES).mapToObj((i) -> vector(-1 - i)).toArray(float[][]::new);
	}

	private static float[] vector(int seed) {
		Random random = new Random(seed);
		float[] vector = new float[DIMENSIONS];
		for (int i = 0; i < DIMENSIONS; i++) {
			vector[i] = random.nextFloat();
		}
		return vector;
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file, the backend, how many vectors
	 */
	public static void main(String... arguments) throws Exception {
		String searches = (arguments.length < 2) ? "cuda" : arguments[1];
		boolean gpu = !searches.equals("cpu");
		int count = (arguments.length < 3) ? 1_000_000 : Integer.parseInt(arguments[2]);
		BackendProvider provider = gpu ? new CudaBackendProvider() : new CpuBackendProvider();
		if (provider.plan(PlanRequest.AUTO) instanceof PlanOffer.Refused refused) {
			System.out.println("SKIPPED: " + refused.reason());
			System.exit(0);
		}
		try (NeighbourBenchmark benchmark = new NeighbourBenchmark(Path.of(arguments[0]), searches.equals("java"),
				count)) {
			if (gpu) {
				benchmark.onDevice(provider);
			}
			else {
				benchmark.measure(provider, Runtime.getRuntime().availableProcessors(), 32, WaitStrategy.BACK_OFF, 0);
			}
		}
		System.exit(0);
	}

	/**
	 * Four multiprocessors are left to other kernels, then none; then two workers share
	 * each.
	 */
	private void onDevice(BackendProvider provider) throws IOException {
		double copied = DeviceCopy.bytesPerNano(bytes());
		add("{\"measure\":\"device-copy\",\"bytes\":%d,\"GB/s-copied\":%.1f,\"GB/s-read-and-written\":%.1f}", bytes(),
				copied, 2 * copied);
		int multiprocessors = DeviceCopy.multiprocessors();
		measure(provider, multiprocessors - 4, 512, WaitStrategy.BUSY_SPIN, 2 * copied);
		if (this.inJava) {
			// Comparison with the image takes one shape.
			return;
		}
		measure(provider, multiprocessors - 4, 512, WaitStrategy.BACK_OFF, 2 * copied);
		measure(provider, multiprocessors, 512, WaitStrategy.BUSY_SPIN, 2 * copied);
		measure(provider, 2 * multiprocessors, 256, WaitStrategy.BUSY_SPIN, 2 * copied);
		measure(provider, 32, 256, WaitStrategy.BUSY_SPIN, 2 * copied);
	}

	private long bytes() {
		return (long) this.vectors.size() * DIMENSIONS * Float.BYTES;
	}

	/**
	 * Measures queries and, to tell what of it is messages, as many requests that search
	 * nothing.
	 * @param copy bytes read and written in a nanosecond by a copy, or 0
	 */
	private void measure(BackendProvider provider, int workers, int threads, WaitStrategy waiting, double copy)
			throws IOException {
		Kernel<NeighbourRequest, NeighbourResponse> kernel = launch(provider, workers, threads, waiting);
		NeighbourSearch search = new NeighbourSearch(kernel.client(), kernel, this.properties);
		long begin = System.nanoTime();
		for (int from = 0; from < this.vectors.size(); from += 10_000) {
			search.add(this.vectors.subList(from, Math.min(from + 10_000, this.vectors.size())));
		}
		double addSeconds = (System.nanoTime() - begin) / 1e9;
		for (int i = 0; i < VERIFIED_QUERIES; i++) {
			verify(search, this.queries[i]);
		}
		long[] queried = times((i) -> search.query(this.queries[i % DISTINCT_QUERIES], K));
		long[] spread = times((i) -> spread(kernel, workers));
		verify(search, this.queries[VERIFIED_QUERIES]);
		double rate = (double) bytes() / median(queried);
		add("{\"measure\":\"nearest-neighbours\",\"handler\":\"%s\",\"vectors\":%d,\"dimensions\":%d,\"k\":%d,\"workers\":%d,"
				+ "\"threads\":%d,\"waiting\":\"%s\",\"unit\":\"ns\",\"p50\":%d,\"p99\":%d,\"queries-per-second\":%.0f,"
				+ "\"GB/s-read\":%.1f,\"of-copy-read-and-written\":%.3f,\"messages-alone-p50\":%d,\"seconds-to-add\":%.1f}",
				this.inJava ? "java" : "cuda", this.vectors.size(), DIMENSIONS, K, workers, threads, waiting,
				median(queried), queried[queried.length * 99 / 100],
				queried.length / (Arrays.stream(queried).sum() / 1e9), rate, (copy > 0) ? rate / copy : 0,
				median(spread), addSeconds);
		this.runtime.close();
	}

	private Kernel<NeighbourRequest, NeighbourResponse> launch(BackendProvider provider, int workers, int threads,
			WaitStrategy waiting) {
		this.runtime.close();
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider));
		KernelOptions options = KernelOptions.builder()
			.workers(workers)
			.threadsPerWorker(threads)
			.ringMemory(96 << 20)
			.stateMemory(this.properties.stateBytes())
			.requestTimeout(Duration.ofSeconds(30))
			.waitStrategy(waiting)
			.build();
		RingKernelHandler<NeighbourRequest, NeighbourResponse> handler = this.inJava
				? new NearestNeighboursInJava(this.properties) : new NearestNeighbours(this.properties);
		Kernel<NeighbourRequest, NeighbourResponse> kernel = this.runtime.define(new KernelSpec<>("nearest-neighbours",
				MessageLayout.of(NeighbourRequest.class), MessageLayout.of(NeighbourResponse.class), handler,
				this.inJava ? null : "classpath:kernels/nearest_neighbours.ptx", options));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static void spread(Kernel<NeighbourRequest, NeighbourResponse> kernel, int workers) {
		try (RequestStream<NeighbourRequest, NeighbourResponse> stream = kernel.client().openStream()) {
			for (int i = 0; i < workers; i++) {
				stream.send(NeighbourRequest.size());
			}
			for (int i = 0; i < workers; i++) {
				stream.receive();
			}
		}
	}

	/**
	 * Compares with a search of all vectors in double precision. Vectors whose distances
	 * are equal as far as floats can tell may change places.
	 */
	private void verify(NeighbourSearch search, float[] query) {
		List<Neighbour> found = search.query(query, K);
		double[] exact = this.vectors.parallelStream()
			.mapToDouble((indexed) -> BruteForce.squaredDistance(indexed.vector(), query))
			.sorted()
			.limit(K)
			.toArray();
		if (found.size() != exact.length || found.stream().map(Neighbour::id).distinct().count() != exact.length) {
			throw new IllegalStateException("%d of %d neighbours were found: %s".formatted(found.size(), K, found));
		}
		for (int i = 0; i < exact.length; i++) {
			Neighbour neighbour = found.get(i);
			double distance = BruteForce.squaredDistance(this.vectors.get(neighbour.id()).vector(), query);
			if (!isNear(distance, exact[i]) || !isNear(neighbour.distance(), distance)) {
				throw new IllegalStateException("Neighbour %d is %s at the exact distance %s, and should be at %s"
					.formatted(i, neighbour, distance, exact[i]));
			}
		}
	}

	private static boolean isNear(double actual, double expected) {
		return Math.abs(actual - expected) <= TOLERANCE * expected;
	}

	/**
	 * Calls one after another.
	 * @return what each took, sorted
	 */
	private static long[] times(IntConsumer call) {
		long warm = System.nanoTime() + WARM_UP_NANOS;
		for (int i = 0; System.nanoTime() < warm; i++) {
			call.accept(i);
		}
		List<Long> times = new ArrayList<>();
		long begin = System.nanoTime();
		long end = begin + NANOS;
		for (int i = 0; begin < end; i++) {
			call.accept(i);
			long now = System.nanoTime();
			times.add(now - begin);
			begin = now;
		}
		return times.stream().mapToLong(Long::longValue).sorted().toArray();
	}

	private static long median(long[] sorted) {
		return sorted[sorted.length / 2];
	}

	private void add(String format, Object... values) throws IOException {
		String line = String.format(Locale.ROOT, format, values);
		System.out.println(line);
		Files.writeString(this.results, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}

	@Override
	public void close() {
		this.runtime.close();
	}

}
