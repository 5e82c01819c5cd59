package io.ringkernel.spring.ai;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.spring.ai.embedding.GlossVectors;
import io.ringkernel.spring.ai.graph.IndexKind;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.SearchRequest;

/**
 * Searches a store on the CPU with an exact index and with a graph, and Lucene's HNSW
 * graph beside them: one query at a time, with filters that match from half to a
 * thousandth of the documents. Documents and queries are glosses of WordNet, embedded by
 * all-MiniLM-L6-v2. What each finds is compared with an exact search in double precision.
 * A search of a graph runs on the thread of its caller, whose processor time is measured
 * as well.
 * <p>
 * The arguments are the file for results, the file of vectors, which is written if it is
 * not there, and the number of documents; {@code graph.jsonl}, {@code glosses.f32} and
 * 100,000 if there are none.
 */
public final class GraphIndexBenchmark {

	private static final int TOP_K = 10;

	private static final int QUERIES = 400;

	private static final int ROUNDS = 3;

	private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final int DOCUMENTS_PER_ADD = 10_000;

	private static final int ADDITIONS = 200;

	private static final int LUCENE_CANDIDATES = 100;

	private static final List<Integer> SHARES = List.of(1, 2, 10, 100, 1000);

	/** Other processes take no part in the time of a thread. */
	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private final PrintStream results;

	private final int documents;

	private final float[][] vectors;

	private GraphIndexBenchmark(PrintStream results, float[][] vectors) {
		this.results = results;
		this.documents = vectors.length - QUERIES;
		this.vectors = vectors;
	}

	public static void main(String[] arguments) throws Exception {
		Path file = Path.of((arguments.length > 0) ? arguments[0] : "graph.jsonl");
		Path vectors = Path.of((arguments.length > 1) ? arguments[1] : "glosses.f32");
		int documents = (arguments.length > 2) ? Integer.parseInt(arguments[2]) : 100_000;
		try (PrintStream results = new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8)) {
			GraphIndexBenchmark benchmark = new GraphIndexBenchmark(results,
					GlossVectors.of(vectors, documents + QUERIES));
			benchmark.measureLucene();
			benchmark.measure(IndexKind.EXACT);
			benchmark.measure(IndexKind.GRAPH);
		}
	}

	private float[] query(int query) {
		return this.vectors[this.documents + query];
	}

	private static IntPredicate selected(int share) {
		return (document) -> document % share == 0;
	}

	private void measure(IndexKind kind) throws Exception {
		String name = kind.name().toLowerCase(Locale.ROOT);
		Path directory = Files.createTempDirectory("graph");
		long before = heap();
		try (RunningKernel running = new RunningKernel()) {
			long started = System.nanoTime();
			RingKernelVectorStore store = open(kind, running, directory);
			for (int from = 0; from < this.documents; from += DOCUMENTS_PER_ADD) {
				int to = Math.min(this.documents, from + DOCUMENTS_PER_ADD);
				store.add(IntStream.range(from, to).mapToObj(this::document).toList(),
						Arrays.asList(this.vectors).subList(from, to));
			}
			double added = seconds(started);
			awaitConnected(store);
			String built = String.format(Locale.ROOT, "\"added_s\":%.1f,\"built_s\":%.1f,\"heap_mb\":%.0f", added,
					seconds(started), (heap() - before) / 1e6);
			for (int share : SHARES) {
				measure(name, share, built, (query) -> ids(store, query(query), share));
			}
			measureChanges(name, store);
			store.destroy();
			started = System.nanoTime();
			RingKernelVectorStore again = open(kind, running, directory);
			again.start();
			double loaded = seconds(started);
			awaitConnected(again);
			print("{\"index\":\"%s\",\"restart\":true,\"load_s\":%.1f,\"built_s\":%.1f,%s}", name, loaded,
					seconds(started), host());
			again.destroy();
		}
		finally {
			delete(directory);
		}
	}

	private RingKernelVectorStore open(IndexKind kind, RunningKernel running, Path directory) {
		return RingKernelVectorStore.builder(new HashEmbeddingModel(this.vectors[0].length), running.kernel())
			.index(kind)
			.directory(directory)
			.build();
	}

	private Document document(int i) {
		return new Document(String.valueOf(i), "document " + i,
				Map.of("by2", i % 2, "by10", i % 10, "by100", i % 100, "by1000", i % 1000));
	}

	private static void awaitConnected(RingKernelVectorStore store) {
		VectorStoreStatus.Graph graph = store.status().graph();
		while (graph != null && graph.waiting() > 0) {
			LockSupport.parkNanos(LOOK_NANOS);
			graph = store.status().graph();
		}
	}

	private static List<String> ids(RingKernelVectorStore store, float[] query, int share) {
		return store
			.similaritySearch(query,
					SearchRequest.builder()
						.topK(TOP_K)
						.similarityThresholdAll()
						.filterExpression((share > 1) ? "by%d == 0".formatted(share) : null)
						.build())
			.stream()
			.map(Document::getId)
			.toList();
	}

	/** A document is added and searched for, and then removed and searched for. */
	private void measureChanges(String name, RingKernelVectorStore store) {
		double[] addMicros = new double[ADDITIONS];
		double[] searchMicros = new double[ADDITIONS];
		for (int i = 0; i < ADDITIONS; i++) {
			Document added = new Document("added" + i, "added", Map.of());
			long started = System.nanoTime();
			store.add(List.of(added), List.of(query(i)));
			addMicros[i] = (System.nanoTime() - started) / 1e3;
			started = System.nanoTime();
			if (!ids(store, query(i), 1).contains(added.getId())) {
				throw new IllegalStateException("What was added is not found");
			}
			searchMicros[i] = (System.nanoTime() - started) / 1e3;
			store.delete(List.of(added.getId()));
			if (ids(store, query(i), 1).contains(added.getId())) {
				throw new IllegalStateException("What was removed is found");
			}
		}
		Arrays.sort(addMicros);
		Arrays.sort(searchMicros);
		print("{\"index\":\"%s\",\"add_p50_us\":%.1f,\"search_after_add_p50_us\":%.1f,%s}", name,
				addMicros[ADDITIONS / 2], searchMicros[ADDITIONS / 2], host());
	}

	private void measureLucene() throws Exception {
		long before = heap();
		Path directory = Files.createTempDirectory("lucene");
		try (LuceneHnsw lucene = new LuceneHnsw(directory)) {
			long started = System.nanoTime();
			for (int i = 0; i < this.documents; i++) {
				lucene.add(String.valueOf(i), "document " + i, i % 10, this.vectors[i]);
			}
			lucene.finish();
			String built = String.format(Locale.ROOT, "\"added_s\":%.1f,\"built_s\":%.1f,\"heap_mb\":%.0f",
					seconds(started), seconds(started), (heap() - before) / 1e6);
			for (int share : new int[] { 1, 10 }) {
				measure("lucene", share, built,
						(query) -> lucene.search(query(query), TOP_K, LUCENE_CANDIDATES, (share > 1) ? 0 : -1));
			}
		}
		finally {
			delete(directory);
		}
	}

	private void measure(String name, int share, String built, Search search) throws Exception {
		List<Set<Integer>> right = IntStream.range(0, QUERIES)
			.parallel()
			.mapToObj((query) -> nearest(query, share))
			.toList();
		long began = System.nanoTime();
		for (int query = 0; System.nanoTime() - began < WARM_UP_NANOS; query++) {
			search.ids(query % QUERIES);
		}
		double[] micros = new double[ROUNDS * QUERIES];
		double[] cpuMicros = new double[micros.length];
		int found = 0;
		int wanted = 0;
		for (int i = 0; i < micros.length; i++) {
			long cpu = THREADS.getCurrentThreadCpuTime();
			long started = System.nanoTime();
			List<String> ids = search.ids(i % QUERIES);
			micros[i] = (System.nanoTime() - started) / 1e3;
			cpuMicros[i] = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e3;
			found += (int) ids.stream().map(Integer::valueOf).filter(right.get(i % QUERIES)::contains).count();
			wanted += right.get(i % QUERIES).size();
		}
		Arrays.sort(micros);
		Arrays.sort(cpuMicros);
		print("{\"index\":\"%s\",\"documents\":%d,\"matching\":%s,\"recall\":%.4f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"caller_cpu_p50_us\":%.1f,%s,%s}",
				name, this.documents, 1.0 / share, found / (double) wanted, micros[micros.length / 2],
				micros[micros.length * 99 / 100], cpuMicros[micros.length / 2], built, host());
	}

	private Set<Integer> nearest(int query, int share) {
		float[] vector = query(query);
		double[] scores = new double[this.documents];
		for (int i = 0; i < scores.length; i++) {
			for (int element = 0; element < vector.length; element++) {
				scores[i] += (double) vector[element] * this.vectors[i][element];
			}
		}
		return new HashSet<>(IntStream.range(0, this.documents)
			.filter(selected(share))
			.boxed()
			.sorted((a, b) -> Double.compare(scores[b], scores[a]))
			.limit(TOP_K)
			.toList());
	}

	private static double seconds(long started) {
		return (System.nanoTime() - started) / 1e9;
	}

	private static String host() {
		return String.format(Locale.ROOT, "\"load\":%.1f,\"java\":\"%s\"",
				ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(), Runtime.version());
	}

	private void print(String format, @Nullable Object... values) {
		String line = String.format(Locale.ROOT, format, values);
		System.out.println(line);
		this.results.println(line);
	}

	private static long heap() {
		System.gc();
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private static void delete(Path directory) throws IOException {
		List<Path> files = new ArrayList<>();
		try (Stream<Path> all = Files.walk(directory)) {
			all.forEach((file) -> files.add(0, file));
		}
		for (Path file : files) {
			Files.delete(file);
		}
	}

	/** Finds the ids that are nearest to a query. */
	@FunctionalInterface
	private interface Search {

		List<String> ids(int query) throws Exception;

	}

}
