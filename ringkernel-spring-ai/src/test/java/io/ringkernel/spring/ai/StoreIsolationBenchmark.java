package io.ringkernel.spring.ai;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.index.DocumentIndex;
import io.ringkernel.spring.ai.index.IndexedDocument;
import org.springframework.ai.document.Document;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.HdrHistogram.Histogram;

/**
 * Measures what a kernel host costs the store: the time of a search by one caller, with
 * the device in a process of its own or in this one. With a host, it has another kernel
 * store to where nothing is, and measures how long it takes until a search is answered
 * again, and until the documents are on the device again.
 * <p>
 * The arguments are the file for results, {@code process} or {@code none}, how many
 * documents there are, and their dimensions.
 */
public final class StoreIsolationBenchmark {

	private static final int WORKERS = 128;

	private static final int DOCUMENTS_PER_ADD = 20_000;

	private static final int TOP_K = 10;

	private static final int FAULTS = 2;

	private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long NANOS = TimeUnit.SECONDS.toNanos(2);

	private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final PrintStream results;

	private final String isolation;

	private final int documents;

	private final int dimensions;

	private StoreIsolationBenchmark(PrintStream results, String isolation, int documents, int dimensions) {
		this.results = results;
		this.isolation = isolation;
		this.documents = documents;
		this.dimensions = dimensions;
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file, the isolation, how many documents, their dimensions
	 */
	public static void main(String... arguments) throws IOException {
		if (!RunningKernel.hasDevice()) {
			System.out.println("SKIPPED: there is no CUDA device");
			return;
		}
		try (PrintStream results = new PrintStream(arguments[0], StandardCharsets.UTF_8)) {
			new StoreIsolationBenchmark(results, arguments[1], Integer.parseInt(arguments[2]),
					Integer.parseInt(arguments[3]))
				.run();
		}
		System.exit(0);
	}

	private void run() throws IOException {
		KernelOptions options = KernelOptions.builder().workers(WORKERS).threadsPerWorker(512).build();
		boolean hosted = this.isolation.equals("process");
		try (RunningKernel running = hosted ? RunningKernel.isolated(options, ElementType.FLOAT32)
				: new RunningKernel(BackendKind.CUDA, options);
				DocumentIndex index = new DocumentIndex(
						DocumentStorage.open(Files.createTempDirectory("ringkernel-store"), this.dimensions, ""),
						running.kernel(), SimilarityMetric.COSINE, ElementType.FLOAT32, this.dimensions, 0,
						RowGraph.NONE)) {
			for (int from = 0; from < this.documents; from += DOCUMENTS_PER_ADD) {
				index.add(IntStream.range(from, Math.min(this.documents, from + DOCUMENTS_PER_ADD))
					.mapToObj((row) -> new IndexedDocument("id" + row, "text", Map.of(), vector(row)))
					.toList());
			}
			float[] query = vector(-1);
			searches(index, query, WARM_UP_NANOS);
			Histogram nanos = searches(index, query, NANOS);
			report("search", "us", nanos.getValueAtPercentile(50) / 1e3, nanos.getValueAtPercentile(99) / 1e3);
			for (int fault = 0; hosted && fault < FAULTS; fault++) {
				recover(running, index, query);
			}
		}
	}

	private void recover(RunningKernel running, DocumentIndex index, float[] query) {
		List<Document> expected = index.search(query, TOP_K, Double.NEGATIVE_INFINITY, null);
		long first = ProcessHandle.current().children().mapToLong(ProcessHandle::pid).max().orElse(0);
		running.fault();
		ProcessHandle.of(first).ifPresent((host) -> host.onExit().join());
		long begin = System.nanoTime();
		int failed = 0;
		List<Document> found = List.of();
		while (found.isEmpty() && System.nanoTime() - begin < LIMIT_NANOS) {
			try {
				found = index.search(query, TOP_K, Double.NEGATIVE_INFINITY, null);
			}
			catch (RingKernelException | IllegalStateException ex) {
				System.out.println("A search failed: " + ex.getMessage());
				failed++;
			}
		}
		double again = (System.nanoTime() - begin) / 1e6;
		while (running.kernel().plan().backend() != BackendKind.CUDA && System.nanoTime() - begin < LIMIT_NANOS) {
			LockSupport.parkNanos(1_000_000);
		}
		double moved = (System.nanoTime() - begin) / 1e6;
		List<Document> back = index.search(query, TOP_K, Double.NEGATIVE_INFINITY, null);
		report("answered-after-fault, failed " + failed, "ms", again, moved);
		report("loaded-after-fault", "ms", (System.nanoTime() - begin) / 1e6, (System.nanoTime() - begin) / 1e6);
		if (!ids(found).equals(ids(expected)) || !ids(back).equals(ids(expected)) || index.size() != this.documents) {
			throw new IllegalStateException("Documents are lost: %s, then %s".formatted(ids(found), ids(back)));
		}
	}

	private static List<String> ids(List<Document> matches) {
		return matches.stream().map(Document::getId).toList();
	}

	private void report(String measure, String unit, double first, double second) {
		System.out.printf(Locale.ROOT, "%-8s %,d x %d  %-36s %10.1f %10.1f %s%n", this.isolation, this.documents,
				this.dimensions, measure, first, second, unit);
		this.results.printf(Locale.ROOT,
				"{\"measure\":\"%s\",\"isolation\":\"%s\",\"documents\":%d,\"dimensions\":%d,\"unit\":\"%s\",\"p50\":%.1f,\"p99\":%.1f}%n",
				measure, this.isolation, this.documents, this.dimensions, unit, first, second);
	}

	private Histogram searches(DocumentIndex index, float[] query, long duration) {
		long begin = System.nanoTime();
		Histogram nanos = new Histogram(3);
		while (System.nanoTime() - begin < duration) {
			long from = System.nanoTime();
			index.search(query, TOP_K, Double.NEGATIVE_INFINITY, null);
			nanos.recordValue(System.nanoTime() - from);
		}
		return nanos;
	}

	private float[] vector(int seed) {
		SplittableRandom random = new SplittableRandom(seed);
		float[] vector = new float[this.dimensions];
		for (int i = 0; i < vector.length; i++) {
			vector[i] = (float) random.nextDouble() - 0.5F;
		}
		return vector;
	}

}
