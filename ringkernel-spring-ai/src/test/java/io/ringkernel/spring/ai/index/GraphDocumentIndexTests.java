package io.ringkernel.spring.ai.index;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.filter.MetadataFilter;
import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link DocumentIndex} with a graph beside the kernel.
 */
class GraphDocumentIndexTests {

	private static final int DIMENSIONS = 32;

	private static final int TOPICS = 50;

	private static final int TOP_K = 10;

	/** One thread connects points, and on a busy host it waits for a processor. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final double ANY_SCORE = Double.NEGATIVE_INFINITY;

	private final Random random = new Random(3);

	private final float[][] topics = IntStream.range(0, TOPICS)
		.mapToObj((i) -> around(new float[DIMENSIONS], 1, this.random))
		.toArray(float[][]::new);

	private final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (int i = this.opened.size() - 1; i >= 0; i--) {
			this.opened.get(i).close();
		}
	}

	private static float[] around(float[] center, double deviation, Random random) {
		float[] vector = center.clone();
		for (int i = 0; i < vector.length; i++) {
			vector[i] += (float) (random.nextGaussian() * deviation);
		}
		return vector;
	}

	private float[] vector(Random by) {
		return around(this.topics[by.nextInt(TOPICS)], 0.7, by);
	}

	private DocumentIndex open(DocumentStorage storage, RunningKernel running, ElementType elementType,
			IndexKind kind) {
		return new DocumentIndex(storage, running.kernel(), SimilarityMetric.COSINE, elementType, DIMENSIONS, 0,
				RowGraph.of(kind, SimilarityMetric.COSINE, DIMENSIONS));
	}

	private DocumentIndex index(ElementType elementType, IndexKind kind) {
		RunningKernel running = new RunningKernel(BackendKind.CPU, elementType);
		this.opened.add(running);
		DocumentIndex index = open(DocumentStorage.temporary(DIMENSIONS), running, elementType, kind);
		this.opened.add(index);
		return index;
	}

	private DocumentIndex index(IndexKind kind) {
		return index(ElementType.FLOAT32, kind);
	}

	private List<IndexedDocument> documents(int from, int to) {
		return IntStream.range(from, to)
			.mapToObj((i) -> new IndexedDocument("id" + i, "text " + i,
					Map.of("number", i, "half", i % 2, "tenth", i % 10, "hundredth", i % 100), vector(this.random)))
			.toList();
	}

	private static Filter.@Nullable Expression filter(@Nullable String expression) {
		return (expression != null) ? new FilterExpressionTextParser().parse(expression) : null;
	}

	private static void awaitConnected(DocumentIndex index) {
		await().atMost(PATIENCE).until(() -> index.graph().waiting() == 0);
	}

	/** What both find has the same scores, and lies in the same order. */
	private double recall(DocumentIndex index, DocumentIndex exact, @Nullable String filter, double minScore) {
		int wanted = 0;
		int found = 0;
		for (int query = 0; query < 100; query++) {
			float[] vector = vector(this.random);
			List<Match> right = exact.search(vector, TOP_K, minScore, filter(filter));
			List<Match> matches = index.search(vector, TOP_K, minScore, filter(filter));
			assertThat(matches).hasSameSizeAs(right);
			List<Match> both = right.stream().filter(matches::contains).toList();
			assertThat(matches.stream().filter(right::contains)).isEqualTo(both);
			wanted += right.size();
			found += both.size();
		}
		return (wanted > 0) ? found / (double) wanted : 1;
	}

	@ParameterizedTest
	@EnumSource
	void findsWhatAnExactSearchFinds(ElementType elementType) {
		DocumentIndex index = index(elementType, IndexKind.GRAPH);
		DocumentIndex exact = index(elementType, IndexKind.EXACT);
		List<IndexedDocument> documents = documents(0, 4000);
		index.add(documents);
		exact.add(documents);
		assertThat(recall(index, exact, null, ANY_SCORE)).isEqualTo(1);
		awaitConnected(index);
		long before = index.times().totalBytes();
		assertThat(recall(index, exact, null, ANY_SCORE)).isGreaterThanOrEqualTo(0.99);
		assertThat(recall(index, exact, null, 0.6)).isGreaterThanOrEqualTo(0.99);
		assertThat(index.times().totalBytes()).as("compared by the kernel").isEqualTo(before);
		for (String filter : new String[] { "half == 1", "tenth == 3", "hundredth == 42", "number == 7",
				"number == -1" }) {
			assertThat(recall(index, exact, filter, ANY_SCORE)).as(filter).isGreaterThanOrEqualTo(0.99);
		}
		assertThat(index.search(vector(this.random), 5000, ANY_SCORE, null)).hasSize(4000);
		assertThat(index.search(vector(this.random), 300, ANY_SCORE, null)).hasSize(300);
		assertThat(index.search(vector(this.random), 0, ANY_SCORE, null)).isEmpty();
	}

	@Test
	void findsFewerDocumentsThanAreWantedIfThereAreNoMore() {
		DocumentIndex index = index(IndexKind.GRAPH);
		assertThat(index.search(vector(this.random), 5, ANY_SCORE, null)).isEmpty();
		index.add(documents(0, 3));
		awaitConnected(index);
		assertThat(index.search(vector(this.random), 5, ANY_SCORE, null)).hasSize(3);
		assertThat(index.search(vector(this.random), 5, ANY_SCORE, filter("number == 1"))).hasSize(1);
	}

	@Test
	void changesAreVisibleWhenTheyReturn() {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 2000));
		awaitConnected(index);
		for (IndexedDocument document : documents(2000, 2100)) {
			index.add(List.of(document));
			assertThat(index.search(document.vector(), 1, ANY_SCORE, null)).extracting(Match::id)
				.containsExactly(document.id());
			IndexedDocument replaced = new IndexedDocument(document.id(), "other", Map.of(), vector(this.random));
			index.add(List.of(replaced));
			assertThat(index.search(replaced.vector(), 1, ANY_SCORE, null)).extracting(Match::text)
				.containsExactly("other");
			assertThat(index.search(document.vector(), TOP_K, ANY_SCORE, null)).extracting(Match::text)
				.doesNotContain(document.text());
			index.remove(List.of(document.id()));
			assertThat(index.search(replaced.vector(), TOP_K, ANY_SCORE, null)).extracting(Match::id)
				.doesNotContain(document.id());
		}
		index.remove(filter("half == 1"));
		assertThat(index.search(vector(this.random), 100, ANY_SCORE, null)).hasSize(100)
			.allSatisfy((match) -> assertThat(match.metadata()).containsEntry("half", 0));
		assertThat(index.updateMetadata(List.of("id0"), (metadata) -> Map.of("changed", true))).isEqualTo(1);
		assertThat(index.search(vector(this.random), 1000, ANY_SCORE, filter("changed == true"))).hasSize(1);
		index.removeAll();
		assertThat(index.search(vector(this.random), TOP_K, ANY_SCORE, null)).isEmpty();
		assertThat(index.graph().size()).isZero();
		index.add(documents(0, 10));
		assertThat(index.search(vector(this.random), TOP_K, ANY_SCORE, null)).hasSize(10);
	}

	@Test
	void servesWhileTheGraphIsBuiltAgainAfterARestart(@TempDir Path directory) {
		List<IndexedDocument> documents = documents(0, 5000);
		DocumentIndex exact = index(IndexKind.EXACT);
		exact.add(documents);
		try (RunningKernel running = new RunningKernel();
				DocumentIndex index = open(DocumentStorage.open(directory, DIMENSIONS), running, ElementType.FLOAT32,
						IndexKind.GRAPH)) {
			index.add(documents);
		}
		try (RunningKernel running = new RunningKernel();
				DocumentIndex index = open(DocumentStorage.open(directory, DIMENSIONS), running, ElementType.FLOAT32,
						IndexKind.GRAPH)) {
			index.load();
			assertThat(index.graph().size()).isEqualTo(5000);
			assertThat(recall(index, exact, null, ANY_SCORE)).isGreaterThanOrEqualTo(0.99);
			awaitConnected(index);
			assertThat(recall(index, exact, null, ANY_SCORE)).isGreaterThanOrEqualTo(0.99);
		}
	}

	@Test
	void keepsTheGraphIfTheKernelLosesItsIndex() {
		RunningKernel running = new RunningKernel();
		this.opened.add(running);
		DocumentIndex index = open(DocumentStorage.temporary(DIMENSIONS), running, ElementType.FLOAT32,
				IndexKind.GRAPH);
		this.opened.add(index);
		List<IndexedDocument> documents = documents(0, 2000);
		index.add(documents);
		awaitConnected(index);
		running.loseIndex();
		assertThat(index.search(documents.get(1).vector(), 300, ANY_SCORE, null)).hasSize(300);
		assertThat(index.graph().waiting()).isZero();
		assertThat(index.graph().size()).isEqualTo(2000);
		index.remove(List.of("id1"));
		assertThat(index.search(documents.get(1).vector(), TOP_K, ANY_SCORE, null)).hasSize(TOP_K)
			.extracting(Match::id)
			.doesNotContain("id1");
	}

	@Test
	void seesAllOfAnAddOrNothingOfIt() throws Exception {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 3000));
		awaitConnected(index);
		float[] vector = vector(this.random);
		List<float[]> near = IntStream.range(0, 50).mapToObj((i) -> around(vector, 0.001, this.random)).toList();
		AtomicBoolean done = new AtomicBoolean();
		index.add(version(near, 0));
		ExecutorService readers = Executors.newFixedThreadPool(3);
		try {
			List<CompletableFuture<Integer>> reads = IntStream.range(0, 3)
				.mapToObj((reader) -> CompletableFuture.supplyAsync(() -> {
					int count = 0;
					do {
						List<Match> matches = index.search(vector, 50, 0.9, null);
						assertThat(matches).hasSize(50);
						assertThat(matches.stream().map((match) -> match.metadata().get("version")).distinct())
							.hasSize(1);
						count++;
					}
					while (!done.get());
					return count;
				}, readers))
				.toList();
			for (int version = 1; version <= 60; version++) {
				index.add(version(near, version));
			}
			done.set(true);
			for (CompletableFuture<Integer> read : reads) {
				assertThat(read.get(60, TimeUnit.SECONDS)).isPositive();
			}
		}
		finally {
			done.set(true);
			readers.shutdownNow();
		}
	}

	private static List<IndexedDocument> version(List<float[]> vectors, int version) {
		return IntStream.range(0, vectors.size())
			.mapToObj((i) -> new IndexedDocument("version" + i, "", Map.of("version", version), vectors.get(i)))
			.toList();
	}

	/**
	 * Each of several threads adds, replaces and removes documents of its own, while
	 * others search. Nobody finds what was removed before, and each finds what it has
	 * added. In the end, the graph finds what an exact search finds.
	 */
	@Test
	void findsNoRemovedDocumentAndEachOneThatThereIsWhileManyThreadsChangeSome() throws Exception {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 2000));
		awaitConnected(index);
		Set<String> removed = ConcurrentHashMap.newKeySet();
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(6);
		Map<String, IndexedDocument> left = new ConcurrentHashMap<>();
		try {
			List<CompletableFuture<Void>> changes = IntStream.range(0, 3)
				.mapToObj((writer) -> CompletableFuture.runAsync(() -> change(index, writer, removed, left), threads))
				.toList();
			List<CompletableFuture<Void>> searches = IntStream.range(0, 3)
				.mapToObj((reader) -> CompletableFuture.runAsync(() -> {
					Random by = new Random(reader);
					while (!done.get()) {
						Set<String> before = new HashSet<>(removed);
						assertThat(index.search(vector(by), 20, ANY_SCORE, null)).extracting(Match::id)
							.hasSize(20)
							.doesNotHaveDuplicates()
							.noneMatch(before::contains);
					}
				}, threads))
				.toList();
			for (CompletableFuture<Void> change : changes) {
				change.get(120, TimeUnit.SECONDS);
			}
			done.set(true);
			for (CompletableFuture<Void> search : searches) {
				search.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			done.set(true);
			threads.shutdownNow();
		}
		awaitConnected(index);
		assertThat(index.graph().size()).isEqualTo(index.size()).isEqualTo(2000 + left.size());
		DocumentIndex exact = index(IndexKind.EXACT);
		exact.add(index
			.get(Stream.concat(left.keySet().stream(), IntStream.range(0, 2000).mapToObj((i) -> "id" + i)).toList())
			.stream()
			.map((content) -> new IndexedDocument(content.id(), content.text(), content.metadata(),
					index.vector(content.id()).orElseThrow()))
			.toList());
		assertThat(recall(index, exact, null, ANY_SCORE)).isGreaterThanOrEqualTo(0.99);
	}

	/**
	 * Most documents are removed, so the graph begins anew again and again, while others
	 * search with filters. What they find matches, and was not removed before.
	 */
	@Test
	void findsWhatMatchesWhileTheGraphIsBuiltAnew() throws Exception {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 4000));
		awaitConnected(index);
		AtomicInteger removed = new AtomicInteger(-1);
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService readers = Executors.newFixedThreadPool(3);
		try {
			List<CompletableFuture<Integer>> reads = Stream.of("half == 1", "tenth == 9", "hundredth == 99")
				.map((filter) -> CompletableFuture.supplyAsync(() -> {
					Random by = new Random(filter.length());
					int count = 0;
					while (!done.get()) {
						int before = removed.get();
						List<Match> matches = index.search(vector(by), TOP_K, ANY_SCORE, filter(filter));
						assertThat(matches).hasSize(TOP_K).doesNotHaveDuplicates();
						for (Match match : matches) {
							assertThat(MetadataFilter.matches(filter(filter), match.metadata())).isTrue();
							assertThat((int) match.metadata().get("tenth")).isGreaterThan(before);
						}
						count++;
					}
					return count;
				}, readers))
				.toList();
			for (int tenth = 0; tenth < 9; tenth++) {
				index.remove(filter("tenth == " + tenth));
				removed.set(tenth);
				IndexedDocument near = documents(9, 10).get(0);
				index.add(List.of(near));
				assertThat(index.search(near.vector(), 1, ANY_SCORE, filter("tenth == 9"))).extracting(Match::id)
					.containsExactly("id9");
			}
			done.set(true);
			for (CompletableFuture<Integer> read : reads) {
				assertThat(read.get(60, TimeUnit.SECONDS)).isPositive();
			}
		}
		finally {
			done.set(true);
			readers.shutdownNow();
		}
		awaitConnected(index);
		assertThat(index.graph().size()).isEqualTo(index.size()).isEqualTo(400);
	}

	@Test
	void closesWhileTheGraphIsBuilt() {
		DocumentIndex index = index(IndexKind.GRAPH);
		index.add(documents(0, 8000));
		assertThat(index.graph().waiting()).isPositive();
		assertThatNoException().isThrownBy(index::close);
		assertThatIllegalStateException().isThrownBy(() -> index.search(vector(this.random), 1, ANY_SCORE, null));
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain("ringkernel-vector-graph");
	}

	private void change(DocumentIndex index, int writer, Set<String> removed, Map<String, IndexedDocument> left) {
		Random by = new Random(100 + writer);
		Map<String, IndexedDocument> own = new HashMap<>();
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < 400; i++) {
			String id = "writer" + writer + "-" + i;
			IndexedDocument added = new IndexedDocument(id, "text", Map.of("writer", writer), vector(by));
			index.add(List.of(added));
			own.put(id, added);
			ids.add(id);
			assertThat(index.search(added.vector(), 1, ANY_SCORE, null)).extracting(Match::id).containsExactly(id);
			String other = ids.get(by.nextInt(ids.size()));
			switch (i % 3) {
				case 0 -> {
					ids.remove(other);
					own.remove(other);
					index.remove(List.of(other));
					removed.add(other);
				}
				case 1 -> {
					IndexedDocument replaced = new IndexedDocument(other, "replaced", Map.of(), vector(by));
					index.add(List.of(replaced));
					own.put(other, replaced);
				}
				default -> index.updateMetadata(List.of(other), (metadata) -> Map.of("updated", true));
			}
		}
		left.putAll(own);
	}

}
