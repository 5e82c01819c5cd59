package io.ringkernel.spring.ai;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.index.DocumentIndex;
import io.ringkernel.spring.ai.index.IndexedDocument;
import org.springframework.ai.document.Document;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;

import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Measures the store with vectors that are given, so without an embedding model: adding,
 * one caller with and without a filter, many callers. Every store answers some queries as
 * a search in double precision does before it is measured.
 * <p>
 * The arguments are the file for results, the bytes that the device's own copy reads and
 * writes in a nanosecond, and how many documents the larger store has; without them, 0
 * (unknown) and a million. The system property {@code ringkernel.bench.workers} is the
 * number of workers, 128 by default.
 */
public final class DeviceSearchBenchmark implements AutoCloseable {

	private static final int WORKERS = Integer.getInteger("ringkernel.bench.workers", 128);

	private static final int BYTES_PER_WORKER = 192 << 10;

	private static final int DOCUMENTS_PER_ADD = 20_000;

	private static final int TOP_K = 10;

	private static final int QUERIES = 64;

	private static final int VERIFIED_QUERIES = 3;

	/** One document of ten has each value. */
	private static final int PARTS = 10;

	private static final Filter.Expression ONE_PART = new Filter.Expression(Filter.ExpressionType.EQ,
			new Filter.Key("part"), new Filter.Value(3));

	private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

	private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2000);

	/** What sums of floats in another order may differ by. */
	private static final double TOLERANCE = 1e-5;

	private static final String ROW = "%9d x %-5d%-34s p50 %8.1f us  p99 %8.1f us  %8.0f queries/s  %6.0f GB/s compared, %.3f of the copy%n";

	private final PrintStream results;

	private final double copied;

	private final int documents;

	private final int dimensions;

	private final ElementType elementType;

	private final Path directory;

	private final RunningKernel running;

	private DocumentIndex index;

	private final float[][] queries;

	private DeviceSearchBenchmark(PrintStream results, double copied, int documents, int dimensions,
			ElementType elementType, WaitStrategy waiting) throws IOException {
		this.results = results;
		this.copied = copied;
		this.documents = documents;
		this.dimensions = dimensions;
		this.elementType = elementType;
		this.directory = Files.createTempDirectory("ringkernel-vectors");
		this.running = new RunningKernel(RunningKernel.hasDevice() ? BackendKind.CUDA : BackendKind.CPU,
				KernelOptions.builder()
					.workers(WORKERS)
					.threadsPerWorker(512)
					.ringMemory((long) WORKERS * BYTES_PER_WORKER)
					.waitStrategy(waiting)
					.build(),
				elementType);
		this.index = open();
		this.queries = IntStream.range(0, QUERIES).mapToObj((i) -> vector(-1 - i)).toArray(float[][]::new);
	}

	private DocumentIndex open() {
		return new DocumentIndex(DocumentStorage.open(this.directory, this.dimensions, ""), this.running.kernel(),
				SimilarityMetric.COSINE, this.elementType, this.dimensions, 0, RowGraph.NONE);
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file, the bandwidth of a copy, how many documents
	 */
	public static void main(String... arguments) throws IOException {
		double copied = (arguments.length > 1) ? Double.parseDouble(arguments[1]) : 0;
		int documents = (arguments.length > 2) ? Integer.parseInt(arguments[2]) : 1_000_000;
		try (PrintStream results = new PrintStream(arguments[0], StandardCharsets.UTF_8)) {
			for (WaitStrategy waiting : new WaitStrategy[] { WaitStrategy.BACK_OFF, WaitStrategy.BUSY_SPIN }) {
				try (DeviceSearchBenchmark small = new DeviceSearchBenchmark(results, copied, documents / 10, 1024,
						ElementType.FLOAT32, waiting)) {
					small.add();
					small.verify();
					small.measure(waiting.name(), 1, null);
					small.measure(waiting.name() + ", filter of a tenth", 1, ONE_PART);
				}
			}
			List<List<String>> nearest;
			try (DeviceSearchBenchmark large = new DeviceSearchBenchmark(results, copied, documents, 384,
					ElementType.FLOAT32, WaitStrategy.BACK_OFF)) {
				large.add();
				large.load();
				large.verify();
				large.verifyTogether();
				double alone = large.measure("1 caller", 1, null);
				for (int callers : new int[] { 8, 32, 64 }) {
					double together = large.measure(callers + " callers", callers, null);
					large.print("\"measure\":\"scaling\",\"callers\":%d,\"times-one-caller\":%.2f", callers,
							together / alone);
					System.out.printf(Locale.ROOT, "%27s%.2f times one caller%n", "", together / alone);
				}
				large.measure("64 callers, filter of a tenth", 64, ONE_PART);
				nearest = large.nearest();
			}
			for (ElementType type : new ElementType[] { ElementType.FLOAT16, ElementType.INT8 }) {
				try (DeviceSearchBenchmark rounded = new DeviceSearchBenchmark(results, copied, documents, 384, type,
						WaitStrategy.BACK_OFF)) {
					rounded.add();
					rounded.compare(nearest);
					rounded.measure(type + ", 1 caller", 1, null);
					rounded.measure(type + ", 64 callers", 64, null);
				}
			}
		}
	}

	private float[] vector(int id) {
		SplittableRandom random = new SplittableRandom(id);
		float[] vector = new float[this.dimensions];
		for (int i = 0; i < vector.length; i += 2) {
			long bits = random.nextLong();
			vector[i] = (int) bits * 0x1p-31f;
			vector[i + 1] = (int) (bits >> Integer.SIZE) * 0x1p-31f;
		}
		return vector;
	}

	private void add() {
		long nanos = 0;
		for (int from = 0; from < this.documents; from += DOCUMENTS_PER_ADD) {
			List<IndexedDocument> some = IntStream.range(from, Math.min(this.documents, from + DOCUMENTS_PER_ADD))
				.parallel()
				.mapToObj((id) -> new IndexedDocument("id" + id, "document " + id, Map.of("part", id % PARTS),
						vector(id)))
				.toList();
			long begin = System.nanoTime();
			this.index.add(some);
			nanos += System.nanoTime() - begin;
		}
		double rate = this.documents / (nanos / 1e9);
		print("\"measure\":\"add\",\"vectors-per-second\":%.0f", rate);
		System.out.printf(Locale.ROOT, "%9d x %-5d added, on the disk: %.0f vectors/s%n", this.documents,
				this.dimensions, rate);
	}

	/**
	 * As at the start: the storage is opened, and the kernel gets what the files hold.
	 */
	private void load() {
		this.index.close();
		long begin = System.nanoTime();
		this.index = open();
		double opening = (System.nanoTime() - begin) / 1e9;
		this.index.load();
		double seconds = (System.nanoTime() - begin) / 1e9 - opening;
		double rate = (double) this.documents * this.dimensions * Float.BYTES / seconds / 1e9;
		print("\"measure\":\"load\",\"opened-in-seconds\":%.3f,\"seconds\":%.3f,\"GB/s\":%.2f", opening, seconds, rate);
		System.out.printf(Locale.ROOT, "%9d x %-5d opened in %.3f s, loaded in %.3f s: %.2f GB/s%n", this.documents,
				this.dimensions, opening, seconds, rate);
	}

	/** Documents whose scores are equal as far as floats can tell may change places. */
	private void verify() {
		for (Filter.Expression filter : Arrays.asList(null, ONE_PART)) {
			for (int i = 0; i < VERIFIED_QUERIES; i++) {
				float[] query = this.queries[i];
				List<Document> found = search(query, filter);
				double[] exact = IntStream.range(0, this.documents)
					.parallel()
					.filter((id) -> filter == null || id % PARTS == 3)
					.mapToDouble((id) -> -cosine(vector(id), query))
					.sorted()
					.limit(TOP_K)
					.toArray();
				for (int k = 0; k < exact.length; k++) {
					double own = cosine(vector(Integer.parseInt(found.get(k).getId().substring(2))), query);
					if (Math.abs(own + exact[k]) > TOLERANCE || Math.abs(found.get(k).getScore() - own) > TOLERANCE) {
						throw new IllegalStateException("Place %d has %s with a cosine of %s, and should have %s"
							.formatted(k, found.get(k), own, -exact[k]));
					}
				}
			}
		}
	}

	/**
	 * Searches of many callers at once find what each of them finds alone, to the last
	 * digit.
	 */
	private void verifyTogether() {
		ExecutorService threads = Executors.newFixedThreadPool(QUERIES);
		try {
			for (Filter.Expression filter : Arrays.asList(null, ONE_PART)) {
				List<List<Document>> alone = Stream.of(this.queries).map((query) -> search(query, filter)).toList();
				List<CompletableFuture<List<Document>>> together = Stream.of(this.queries)
					.map((query) -> CompletableFuture.supplyAsync(() -> search(query, filter), threads))
					.toList();
				for (int i = 0; i < QUERIES; i++) {
					if (!together.get(i).orTimeout(1, TimeUnit.MINUTES).join().equals(alone.get(i))) {
						throw new IllegalStateException("Query %d finds %s together with others, and %s alone"
							.formatted(i, together.get(i).join(), alone.get(i)));
					}
				}
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private List<List<String>> nearest() {
		return Stream.of(this.queries)
			.map((query) -> search(query, null).stream().map(Document::getId).toList())
			.toList();
	}

	/** Prints how many of the nearest are found. */
	private void compare(List<List<String>> exact) {
		List<List<String>> found = nearest();
		long same = IntStream.range(0, exact.size())
			.mapToLong((i) -> found.get(i).stream().filter(exact.get(i)::contains).count())
			.sum();
		double recall = (double) same / exact.size() / TOP_K;
		print("\"measure\":\"recall\",\"elements\":\"%s\",\"recall\":%.5f", this.elementType, recall);
		System.out.printf(Locale.ROOT, "%27s%s finds %.5f of the nearest %d%n", "", this.elementType, recall, TOP_K);
	}

	private List<Document> search(float[] query, Filter.Expression filter) {
		return this.index.search(query, TOP_K, Double.NEGATIVE_INFINITY, filter);
	}

	private static double cosine(float[] a, float[] b) {
		double product = 0;
		double squares = 0;
		double otherSquares = 0;
		for (int i = 0; i < a.length; i++) {
			product += (double) a[i] * b[i];
			squares += (double) a[i] * a[i];
			otherSquares += (double) b[i] * b[i];
		}
		return product / Math.sqrt(squares * otherSquares);
	}

	/**
	 * Measures callers who search one after another.
	 * @return queries a second, of all of them
	 */
	private double measure(String name, int callers, Filter.Expression filter) {
		ExecutorService threads = Executors.newFixedThreadPool(callers);
		try {
			long begin = System.nanoTime() + WARM_UP_NANOS;
			List<CompletableFuture<long[]>> running = IntStream.range(0, callers)
				.mapToObj((caller) -> CompletableFuture.supplyAsync(() -> times(caller, begin, filter), threads))
				.toList();
			long[] times = running.stream()
				.flatMapToLong((caller) -> LongStream.of(caller.orTimeout(1, TimeUnit.MINUTES).join()))
				.sorted()
				.toArray();
			double rate = times.length / (NANOS / 1e9);
			double read = rate * this.documents * this.dimensions * this.elementType.elementBytes()
					/ ((filter != null) ? PARTS : 1) / 1e9;
			print("\"measure\":\"search\",\"what\":\"%s\",\"callers\":%d,\"unit\":\"us\",\"p50\":%.1f,\"p99\":%.1f,"
					+ "\"min\":%.1f,\"queries-per-second\":%.0f,\"GB/s-compared\":%.0f,\"of-copy\":%.3f", name, callers,
					times[times.length / 2] / 1e3, times[times.length * 99 / 100] / 1e3, times[0] / 1e3, rate, read,
					(this.copied > 0) ? read / this.copied : 0);
			System.out.printf(Locale.ROOT, ROW, this.documents, this.dimensions, name, times[times.length / 2] / 1e3,
					times[times.length * 99 / 100] / 1e3, rate, read, (this.copied > 0) ? read / this.copied : 0);
			return rate;
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * @return nanoseconds of each search that ended within the measured time
	 */
	private long[] times(int caller, long begin, Filter.Expression filter) {
		List<Long> times = new ArrayList<>();
		long last = System.nanoTime();
		for (int i = caller; last - begin < NANOS; i++) {
			search(this.queries[i % QUERIES], filter);
			long now = System.nanoTime();
			if (last >= begin && now - begin < NANOS) {
				times.add(now - last);
			}
			last = now;
		}
		return times.stream().mapToLong(Long::longValue).toArray();
	}

	private void print(String format, Object... values) {
		this.results.println(
				"{\"documents\":%d,\"dimensions\":%d,\"backend\":\"%s\",".formatted(this.documents, this.dimensions,
						this.running.kernel().plan().backend()) + String.format(Locale.ROOT, format, values) + "}");
		this.results.flush();
	}

	@Override
	public void close() {
		this.index.close();
		this.running.close();
		try (Stream<Path> files = Files.walk(this.directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
