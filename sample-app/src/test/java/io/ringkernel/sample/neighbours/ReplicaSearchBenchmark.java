package io.ringkernel.sample.neighbours;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures how many nearest-neighbour queries a second two replicas answer, one on each
 * of two devices, beside one of them alone, by turns. A worker searches all vectors for a
 * query, and each replica has all of them. The arguments are the file that results are
 * added to, and how many vectors (a million).
 */
final class ReplicaSearchBenchmark {

	private static final PlanRequest CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	private static final int DIMENSIONS = 128;

	private static final int K = 10;

	private static final int ROUNDS = 3;

	private static final int WORKERS = Integer.getInteger("ringkernel.bench.workers", 128);

	private static final int THREADS_PER_WORKER = Integer.getInteger("ringkernel.bench.threads", 512);

	/** Together, they keep the workers of two replicas busy, and as many queries wait. */
	private static final int CALLERS = 16;

	private static final int BATCH = Math.max(1, 4 * WORKERS / CALLERS);

	private static final Duration WARM_UP = Duration.ofSeconds(1);

	private static final Duration OBSERVE = Duration.ofSeconds(3);

	private ReplicaSearchBenchmark() {
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results, how many vectors
	 */
	public static void main(String... arguments) throws Exception {
		int count = (arguments.length < 2) ? 1_000_000 : Integer.parseInt(arguments[1]);
		CudaBackendProvider provider = new CudaBackendProvider();
		if (provider.plan(CUDA) instanceof PlanOffer.Refused refused) {
			System.out.println("SKIPPED: " + refused.reason());
			System.exit(0);
		}
		try (RingKernelRuntime runtime = RingKernelRuntime.open(CUDA, List.of(provider))) {
			measure(runtime, count, Path.of(arguments[0]));
		}
		catch (InvalidConfigurationException ex) {
			if (!ex.setting().equals("device")) {
				throw ex;
			}
			System.out.println("SKIPPED: " + ex.getMessage());
		}
		System.exit(0);
	}

	private static void measure(RingKernelRuntime runtime, int count, Path results) throws Exception {
		NearestNeighboursProperties properties = new NearestNeighboursProperties(DIMENSIONS, count);
		Kernel<NeighbourRequest, NeighbourResponse> kernel = started(runtime, properties);
		List<IndexedVector> vectors = vectors(count);
		List<NeighbourRequest> batch = new ArrayList<>();
		for (int i = 0; i < BATCH; i++) {
			batch.add(NeighbourRequest.query(vectors.get(i % count).vector(), K, 0, 1));
		}
		for (Kernel<NeighbourRequest, NeighbourResponse> replica : kernel.replicas()) {
			NeighbourSearch search = new NeighbourSearch(replica.client(), replica, properties);
			for (int from = 0; from < count; from += 10_000) {
				search.add(vectors.subList(from, Math.min(from + 10_000, count)));
			}
		}
		for (int round = 0; round < ROUNDS; round++) {
			add(results, "one", count, rate(kernel.replicas().get(0).client(), batch));
			add(results, "two", count, rate(kernel.client(), batch));
		}
	}

	private static Kernel<NeighbourRequest, NeighbourResponse> started(RingKernelRuntime runtime,
			NearestNeighboursProperties properties) {
		KernelOptions options = KernelOptions.builder()
			.workers(WORKERS)
			.threadsPerWorker(THREADS_PER_WORKER)
			.ringMemory(96 << 20)
			.stateMemory(properties.stateBytes())
			.requestTimeout(Duration.ofSeconds(30))
			.build();
		Kernel<NeighbourRequest, NeighbourResponse> kernel = runtime.define(new KernelSpec<>("nearest-neighbours",
				MessageLayout.of(NeighbourRequest.class), MessageLayout.of(NeighbourResponse.class),
				new NearestNeighbours(properties), "classpath:kernels/nearest_neighbours.ptx", options),
				new Replication(2, List.of(0, 1)), null);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static List<IndexedVector> vectors(int count) {
		return IntStream.range(0, count).parallel().mapToObj((id) -> {
			Random random = new Random(id);
			float[] vector = new float[DIMENSIONS];
			for (int i = 0; i < DIMENSIONS; i++) {
				vector[i] = random.nextFloat();
			}
			return new IndexedVector(id, vector);
		}).toList();
	}

	/**
	 * Has all callers send batches, and counts the queries that are answered after they
	 * have warmed up.
	 * @return queries a second
	 */
	private static double rate(RingKernelClient<NeighbourRequest, NeighbourResponse> client,
			List<NeighbourRequest> batch) throws Exception {
		LongAdder answered = new LongAdder();
		long begin = System.nanoTime() + WARM_UP.toNanos();
		long end = begin + OBSERVE.toNanos();
		ExecutorService executor = Executors.newFixedThreadPool(CALLERS);
		try {
			List<Future<Void>> callers = executor.invokeAll(Collections.nCopies(CALLERS, () -> {
				while (System.nanoTime() < end) {
					List<NeighbourResponse> responses = client.callAll(batch);
					requireNearest(responses);
					long now = System.nanoTime();
					if (now >= begin && now < end) {
						answered.add(responses.size());
					}
				}
				return null;
			}));
			for (Future<Void> caller : callers) {
				caller.get();
			}
			return answered.sum() / (OBSERVE.toNanos() / 1e9);
		}
		finally {
			executor.shutdown();
		}
	}

	/**
	 * Each query is one of the vectors, which is its own nearest neighbour.
	 */
	private static void requireNearest(List<NeighbourResponse> responses) {
		for (int i = 0; i < responses.size(); i++) {
			NeighbourResponse response = responses.get(i);
			if (response.ids()[0] != i % response.size() || response.distances()[0] != 0) {
				throw new IllegalStateException(
						"Vector %d is not its own nearest neighbour: %s".formatted(i, response));
			}
		}
	}

	private static void add(Path results, String replicas, int vectors, double rate) throws IOException {
		String line = String.format(Locale.ROOT,
				"{\"measure\":\"replicas-search\",\"build\":\"%s\",\"vectors\":%d,\"dimensions\":%d,\"workers\":%d,"
						+ "\"unit\":\"queries/s\",\"rate\":%.1f}",
				replicas, vectors, DIMENSIONS, WORKERS, rate);
		System.out.println(line);
		Files.writeString(results, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}

}
