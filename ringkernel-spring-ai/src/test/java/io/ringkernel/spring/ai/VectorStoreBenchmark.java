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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.SimpleVectorStore;
import org.springframework.ai.vectorstore.VectorStore;

/**
 * Searches this store on the CPU, Lucene's HNSW graph and {@link SimpleVectorStore} side
 * by side: one query at a time, for the same vectors, with and without a filter that a
 * tenth of the documents match. What each finds is compared with an exact search in
 * double precision.
 * <p>
 * The arguments are the file for results, the number of documents and the dimensions of
 * their vectors; {@code stores.jsonl}, 100,000 and 384 if there are none.
 */
public final class VectorStoreBenchmark {

	private static final int TOP_K = 10;

	private static final int QUERIES = 400;

	private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);

	private static final int DOCUMENTS_PER_ADD = 10_000;

	private static final int PARTS = 10;

	private static final int PART = 3;

	/** How many vectors a search of the graph collects: the more, the more it finds. */
	private static final int[] CANDIDATES = { 10, 20, 50, 100, 200, 400 };

	private final PrintStream results;

	private final int documents;

	private final int dimensions;

	private final ClusteredVectors vectors;

	private final List<List<Integer>> nearest;

	private final List<List<Integer>> nearestOfPart;

	private VectorStoreBenchmark(PrintStream results, int documents, int dimensions) {
		this.results = results;
		this.documents = documents;
		this.dimensions = dimensions;
		this.vectors = new ClusteredVectors(documents, QUERIES, dimensions);
		this.nearest = this.vectors.nearest(TOP_K, (document) -> true);
		this.nearestOfPart = this.vectors.nearest(TOP_K, (document) -> document % PARTS == PART);
	}

	public static void main(String[] arguments) throws Exception {
		Path file = Path.of((arguments.length > 0) ? arguments[0] : "stores.jsonl");
		int documents = (arguments.length > 1) ? Integer.parseInt(arguments[1]) : 100_000;
		int dimensions = (arguments.length > 2) ? Integer.parseInt(arguments[2]) : 384;
		try (PrintStream results = new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8)) {
			VectorStoreBenchmark benchmark = new VectorStoreBenchmark(results, documents, dimensions);
			benchmark.measureOwn();
			benchmark.measureLucene();
			benchmark.measureSimple();
		}
	}

	private void measureOwn() throws Exception {
		long before = heap();
		try (RunningKernel running = new RunningKernel()) {
			RingKernelVectorStore store = RingKernelVectorStore.builder(this.vectors, running.kernel()).build();
			measure("ringkernel", store, before);
			store.destroy();
		}
	}

	private void measureSimple() throws Exception {
		measure("simple", SimpleVectorStore.builder(this.vectors).build(), heap());
	}

	private void measure(String name, VectorStore store, long before) throws Exception {
		long started = System.nanoTime();
		for (int from = 0; from < this.documents; from += DOCUMENTS_PER_ADD) {
			List<Document> some = new ArrayList<>();
			for (int i = from; i < Math.min(this.documents, from + DOCUMENTS_PER_ADD); i++) {
				some.add(new Document(String.valueOf(i), "document " + i, Map.of("part", i % PARTS)));
			}
			store.add(some);
		}
		Built built = new Built(System.nanoTime() - started, heap() - before, 0);
		for (boolean filtered : new boolean[] { false, true }) {
			measure(name, TOP_K, filtered, built,
					(query) -> store
						.similaritySearch(SearchRequest.builder()
							.query("query " + query)
							.topK(TOP_K)
							.similarityThresholdAll()
							.filterExpression(filtered ? "part == " + PART : null)
							.build())
						.stream()
						.map(Document::getId)
						.toList());
		}
	}

	private void measureLucene() throws Exception {
		long before = heap();
		Path directory = Files.createTempDirectory("lucene");
		try (LuceneHnsw lucene = new LuceneHnsw(directory)) {
			long started = System.nanoTime();
			for (int i = 0; i < this.documents; i++) {
				String text = "document " + i;
				lucene.add(String.valueOf(i), text, i % PARTS, this.vectors.vector(text));
			}
			lucene.finish();
			Built built = new Built(System.nanoTime() - started, heap() - before, bytes(directory));
			// Every search runs before the first is measured.
			for (int candidates : CANDIDATES) {
				warmUp((query) -> lucene.search(this.vectors.vector("query " + query), TOP_K, candidates, -1));
				warmUp((query) -> lucene.search(this.vectors.vector("query " + query), TOP_K, candidates, PART));
			}
			for (boolean filtered : new boolean[] { false, true }) {
				for (int candidates : CANDIDATES) {
					measure("lucene", candidates, filtered, built, (query) -> lucene
						.search(this.vectors.vector("query " + query), TOP_K, candidates, filtered ? PART : -1));
				}
			}
		}
		finally {
			delete(directory);
		}
	}

	private void measure(String name, int candidates, boolean filtered, Built built, Search search) throws Exception {
		warmUp(search);
		double[] micros = new double[QUERIES];
		int found = 0;
		for (int query = 0; query < QUERIES; query++) {
			long started = System.nanoTime();
			List<String> ids = search.ids(query);
			micros[query] = (System.nanoTime() - started) / 1e3;
			Set<Integer> right = new HashSet<>((filtered ? this.nearestOfPart : this.nearest).get(query));
			found += (int) ids.stream().map(Integer::valueOf).filter(right::contains).count();
		}
		Arrays.sort(micros);
		String line = String.format(Locale.ROOT,
				"{\"store\":\"%s\",\"documents\":%d,\"dimensions\":%d,\"filtered\":%b,\"candidates\":%d,"
						+ "\"recall\":%.4f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"build_s\":%.1f,\"heap_mb\":%.0f,"
						+ "\"files_mb\":%.0f,\"java\":\"%s\"}",
				name, this.documents, this.dimensions, filtered, candidates, found / (double) (QUERIES * TOP_K),
				micros[QUERIES / 2], micros[QUERIES * 99 / 100], built.nanos() / 1e9, built.heap() / 1e6,
				built.files() / 1e6, Runtime.version());
		System.out.println(line);
		this.results.println(line);
	}

	private static void warmUp(Search search) throws Exception {
		long began = System.nanoTime();
		for (int query = 0; System.nanoTime() - began < WARM_UP_NANOS; query++) {
			search.ids(query % QUERIES);
		}
	}

	private static long heap() {
		System.gc();
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private static long bytes(Path directory) throws IOException {
		long bytes = 0;
		for (Path file : files(directory)) {
			bytes += Files.size(file);
		}
		return bytes;
	}

	private static void delete(Path directory) throws IOException {
		for (Path file : files(directory)) {
			Files.delete(file);
		}
		Files.delete(directory);
	}

	private static List<Path> files(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.toList();
		}
	}

	/** Finds the ids that are nearest to a query. */
	@FunctionalInterface
	private interface Search {

		List<String> ids(int query) throws Exception;

	}

	/**
	 * What adding all documents took.
	 *
	 * @param nanos the time
	 * @param heap bytes that are in use afterwards, after a collection
	 * @param files bytes of the files that are mapped into memory
	 */
	private record Built(long nanos, long heap, long files) {
	}

}
