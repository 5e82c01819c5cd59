package io.ringkernel.spring.ai;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
 * thousandth of the documents. All are built first, and then take turns, so that each
 * meets the same load of the host. Documents and queries are glosses of WordNet, embedded
 * by all-MiniLM-L6-v2. What each finds is compared with an exact search in double
 * precision. A search of a graph runs on the thread of its caller, whose processor time
 * is measured as well.
 * <p>
 * The arguments are the file for results, the file of vectors, which is written if it is
 * not there, the number of documents, and what takes part; {@code graph.jsonl},
 * {@code glosses.f32}, 100,000 and {@code lucene,exact,graph} if there are none.
 */
public final class GraphIndexBenchmark {

	private static final int TOP_K = 10;

	private static final int QUERIES = 400;

	private static final int ROUNDS = 5;

	private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final int DOCUMENTS_PER_ADD = 10_000;

	private static final int ADDITIONS = 200;

	private static final int LUCENE_CANDIDATES = 100;

	/** The share by which Lucene filters. */
	private static final int FILTERED_SHARE = 10;

	private static final int[] SHARES = { 1, 2, 10, 100, 1000 };

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
			benchmark
				.run((arguments.length > 3) ? List.of(arguments[3].split(",")) : List.of("lucene", "exact", "graph"));
		}
	}

	private void run(List<String> names) throws Exception {
		List<Subject> subjects = new ArrayList<>();
		try {
			for (String name : names) {
				subjects.add(name.equals("lucene") ? new Lucene()
						: new Store(IndexKind.valueOf(name.toUpperCase(Locale.ROOT))));
			}
			for (int share : SHARES) {
				measure(subjects, share);
			}
			for (Subject subject : subjects) {
				subject.measureChanges();
			}
		}
		finally {
			for (Subject subject : subjects) {
				subject.close();
			}
		}
	}

	private float[] query(int query) {
		return this.vectors[this.documents + query];
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

	private void measure(List<Subject> subjects, int share) throws Exception {
		List<Set<Integer>> right = IntStream.range(0, QUERIES)
			.parallel()
			.mapToObj((query) -> nearest(query, share))
			.toList();
		Map<Subject, SearchTimes> all = new LinkedHashMap<>();
		subjects.stream()
			.filter((subject) -> subject.filters(share))
			.forEach((subject) -> all.put(subject, new SearchTimes()));
		for (int round = 0; round < ROUNDS; round++) {
			for (Map.Entry<Subject, SearchTimes> one : all.entrySet()) {
				one.getKey().warmUp(share);
				one.getValue().measure((query) -> one.getKey().ids(query, share), right);
			}
		}
		all.forEach((subject, times) -> print("{\"index\":\"%s\",\"documents\":%d,\"matching\":%s,%s,%s,%s}",
				subject.name(), this.documents, 1.0 / share, times, subject.built(), host()));
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
			.filter((document) -> document % share == 0)
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

	/** What is searched. */
	private interface Subject extends AutoCloseable {

		String name();

		/** What it took to build it, in JSON. */
		String built();

		List<String> ids(int query, int share) throws Exception;

		default boolean filters(int share) {
			return true;
		}

		default void measureChanges() {
		}

		default void warmUp(int share) throws Exception {
			long began = System.nanoTime();
			for (int query = 0; System.nanoTime() - began < WARM_UP_NANOS; query++) {
				ids(query % QUERIES, share);
			}
		}

	}

	private final class Store implements Subject {

		private final IndexKind kind;

		private final Path directory = Files.createTempDirectory("graph");

		private final RunningKernel running = new RunningKernel();

		private final String built;

		private RingKernelVectorStore store;

		Store(IndexKind kind) throws IOException {
			this.kind = kind;
			long before = heap();
			long started = System.nanoTime();
			this.store = open();
			for (int from = 0; from < GraphIndexBenchmark.this.documents; from += DOCUMENTS_PER_ADD) {
				int to = Math.min(GraphIndexBenchmark.this.documents, from + DOCUMENTS_PER_ADD);
				this.store.add(IntStream.range(from, to).mapToObj(GraphIndexBenchmark.this::document).toList(),
						Arrays.asList(GraphIndexBenchmark.this.vectors).subList(from, to));
			}
			double added = seconds(started);
			awaitConnected(this.store);
			this.built = String.format(Locale.ROOT, "\"added_s\":%.1f,\"built_s\":%.1f,\"heap_mb\":%.0f", added,
					seconds(started), (heap() - before) / 1e6);
		}

		private RingKernelVectorStore open() {
			return RingKernelVectorStore.builder(new HashEmbeddingModel(query(0).length), this.running.kernel())
				.index(this.kind)
				.directory(this.directory)
				.build();
		}

		@Override
		public String name() {
			return this.kind.name().toLowerCase(Locale.ROOT);
		}

		@Override
		public String built() {
			return this.built;
		}

		@Override
		public List<String> ids(int query, int share) {
			return this.store
				.similaritySearch(query(query),
						SearchRequest.builder()
							.topK(TOP_K)
							.similarityThresholdAll()
							.filterExpression((share > 1) ? "by%d == 0".formatted(share) : null)
							.build())
				.stream()
				.map(Document::getId)
				.toList();
		}

		/**
		 * A document is added and searched for, and then removed and searched for. Then
		 * the store is opened again.
		 */
		@Override
		public void measureChanges() {
			double[] addMicros = new double[ADDITIONS];
			double[] searchMicros = new double[ADDITIONS];
			for (int i = 0; i < ADDITIONS; i++) {
				Document added = new Document("added" + i, "added", Map.of());
				long started = System.nanoTime();
				this.store.add(List.of(added), List.of(query(i)));
				addMicros[i] = (System.nanoTime() - started) / 1e3;
				started = System.nanoTime();
				if (!ids(i, 1).contains(added.getId())) {
					throw new IllegalStateException("What was added is not found");
				}
				searchMicros[i] = (System.nanoTime() - started) / 1e3;
				this.store.delete(List.of(added.getId()));
				if (ids(i, 1).contains(added.getId())) {
					throw new IllegalStateException("What was removed is found");
				}
			}
			Arrays.sort(addMicros);
			Arrays.sort(searchMicros);
			print("{\"index\":\"%s\",\"add_p50_us\":%.1f,\"search_after_add_p50_us\":%.1f,%s}", name(),
					addMicros[ADDITIONS / 2], searchMicros[ADDITIONS / 2], host());
			this.store.destroy();
			long started = System.nanoTime();
			this.store = open();
			this.store.start();
			double loaded = seconds(started);
			awaitConnected(this.store);
			print("{\"index\":\"%s\",\"restart\":true,\"load_s\":%.1f,\"built_s\":%.1f,%s}", name(), loaded,
					seconds(started), host());
		}

		@Override
		public void close() throws IOException {
			try (this.running) {
				this.store.destroy();
			}
			delete(this.directory);
		}

	}

	private final class Lucene implements Subject {

		private final Path directory = Files.createTempDirectory("lucene");

		private final LuceneHnsw index = new LuceneHnsw(this.directory);

		private final String built;

		Lucene() throws IOException {
			long before = heap();
			long started = System.nanoTime();
			for (int i = 0; i < GraphIndexBenchmark.this.documents; i++) {
				this.index.add(String.valueOf(i), "document " + i, i % FILTERED_SHARE,
						GraphIndexBenchmark.this.vectors[i]);
			}
			this.index.finish();
			this.built = String.format(Locale.ROOT, "\"built_s\":%.1f,\"heap_mb\":%.0f", seconds(started),
					(heap() - before) / 1e6);
		}

		@Override
		public String name() {
			return "lucene";
		}

		@Override
		public String built() {
			return this.built;
		}

		@Override
		public List<String> ids(int query, int share) throws IOException {
			return this.index.search(query(query), TOP_K, LUCENE_CANDIDATES, (share == FILTERED_SHARE) ? 0 : -1);
		}

		@Override
		public boolean filters(int share) {
			return share == 1 || share == FILTERED_SHARE;
		}

		@Override
		public void close() throws IOException {
			try (this.index) {
				delete(this.directory);
			}
		}

	}

}
