package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import io.ringkernel.spring.ai.storage.StorageException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.anyCollection;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.spy;

/**
 * Tests for {@link DocumentIndex}.
 */
class DocumentIndexTests {

	static final int DIMENSIONS = 24;

	static final double ANY_SCORE = Double.NEGATIVE_INFINITY;

	final RunningKernel running = running();

	private final DocumentStorage storage = DocumentStorage.temporary(DIMENSIONS);

	final DocumentIndex index = new DocumentIndex(this.storage, this.running.kernel(), SimilarityMetric.DOT_PRODUCT,
			elementType(), DIMENSIONS, 0, RowGraph.NONE);

	private final Random random = new Random(11);

	RunningKernel running() {
		return new RunningKernel(backend(), elementType());
	}

	BackendKind backend() {
		return BackendKind.CPU;
	}

	ElementType elementType() {
		return ElementType.FLOAT32;
	}

	@AfterEach
	void close() {
		this.index.close();
		this.running.close();
	}

	IndexedDocument document(String id, Map<String, Object> metadata) {
		return new IndexedDocument(id, "text of " + id, metadata, vector());
	}

	float[] vector() {
		float[] vector = new float[DIMENSIONS];
		for (int i = 0; i < vector.length; i++) {
			vector[i] = this.random.nextInt(7) - 3;
		}
		return vector;
	}

	List<IndexedDocument> addMany(int count) {
		List<IndexedDocument> documents = IntStream.range(0, count)
			.mapToObj((i) -> document("id" + i, Map.of("number", i, "parity", (i % 2 == 0) ? "even" : "odd")))
			.toList();
		this.index.add(documents);
		return documents;
	}

	static List<String> ids(List<Document> matches) {
		return matches.stream().map(Document::getId).toList();
	}

	private static Filter.Expression filter(String expression) {
		return new FilterExpressionTextParser().parse(expression);
	}

	/** Small integers are added without rounding, so that many scores are equal. */
	private static double score(float[] a, float[] b) {
		return IntStream.range(0, a.length).mapToDouble((i) -> a[i] * b[i]).sum();
	}

	static List<String> nearest(List<IndexedDocument> documents, float[] query, int limit) {
		double[] scores = documents.stream().mapToDouble((document) -> score(document.vector(), query)).toArray();
		return IntStream.range(0, scores.length)
			.boxed()
			.sorted(Comparator.comparingDouble((Integer row) -> -scores[row]))
			.limit(limit)
			.map((row) -> documents.get(row).id())
			.toList();
	}

	@Test
	void findsWhatSortingAllOfThemFinds() {
		List<IndexedDocument> documents = addMany(9000);
		for (int limit : new int[] { 1, 10, 1024, 10_000 }) {
			float[] query = vector();
			assertThat(ids(this.index.search(query, limit, ANY_SCORE, null)))
				.isEqualTo(nearest(documents, query, limit));
		}
	}

	@Test
	void findsTheNearestOfThoseThatMatchTheFilter() {
		List<IndexedDocument> documents = addMany(3000);
		float[] query = vector();
		List<IndexedDocument> matching = documents.stream()
			.filter((document) -> (int) document.metadata().get("number") % 2 == 0
					&& (int) document.metadata().get("number") > 2000)
			.toList();
		assertThat(ids(this.index.search(query, 50, ANY_SCORE, filter("parity == 'even' && number > 2000"))))
			.isEqualTo(nearest(matching, query, 50));
	}

	@Test
	void findsThoseThatOnlyTheHostCanTell() {
		List<IndexedDocument> documents = new ArrayList<>();
		for (int i = 0; i < 3000; i++) {
			documents.add(document("id" + i, Map.of("snowflake", 9007199254740992L + i)));
		}
		this.index.add(documents);
		assertThat(ids(this.index.search(vector(), 5, ANY_SCORE, filter("snowflake == 9007199254742991L"))))
			.containsExactly("id1999");
	}

	@Test
	void leavesOutScoresBelowTheLowestOne() {
		List<IndexedDocument> documents = addMany(500);
		float[] query = vector();
		long expected = documents.stream().filter((document) -> score(document.vector(), query) >= 20).count();
		assertThat(this.index.search(query, 500, 20, null)).hasSize((int) expected)
			.allMatch((match) -> match.getScore() >= 20);
	}

	@Test
	void limitMayBeAnyNumber() {
		addMany(10);
		assertThat(this.index.search(vector(), Integer.MAX_VALUE, ANY_SCORE, null)).hasSize(10);
	}

	@Test
	void limitOfZeroFindsNothing() {
		addMany(3);
		assertThat(this.index.search(vector(), 0, ANY_SCORE, null)).isEmpty();
	}

	@Test
	void removesByIdAndByFilter() {
		addMany(5000);
		this.index.remove(List.of("id1", "id1", "unknown"));
		assertThat(this.index.size()).isEqualTo(4999);
		this.index.remove(filter("parity == 'odd' || number < 100"));
		assertThat(this.index.size()).isEqualTo(2450);
		assertThat(this.index.search(vector(), 5000, ANY_SCORE, null)).hasSize(2450)
			.allMatch((match) -> match.getMetadata().get("parity").equals("even"));
	}

	@Test
	void usesRowsAgain() {
		for (int round = 0; round < 20; round++) {
			addMany(100);
		}
		assertThat(this.index.size()).isEqualTo(100);
		assertThat(this.storage.rows()).allMatch((row) -> row < 300);
	}

	@Test
	void loadsTheIndexAgainIfTheKernelHasLostIt() {
		List<IndexedDocument> documents = addMany(500);
		float[] query = vector();
		this.running.loseIndex();
		assertThat(ids(this.index.search(query, 10, ANY_SCORE, null))).isEqualTo(nearest(documents, query, 10));
		this.running.loseIndex();
		this.index.remove(filter("number < 400"));
		this.running.loseIndex();
		this.index.add(List.of(document("another", Map.of())));
		assertThat(this.index.search(query, 1000, ANY_SCORE, null)).hasSize(101);
	}

	@Test
	void keysThatNoDocumentHasAnyMoreLeaveTheirColumns() {
		for (int i = 0; i < 300; i++) {
			this.index.add(List.of(document("id", Map.of("key" + i, i))));
			this.index.remove(List.of("id"));
		}
		this.index.add(List.of(document("id", Map.of("k", "v"))));
		MetadataColumns columns = (MetadataColumns) ReflectionTestUtils.getField(this.index, "columns");
		assertThat(columns.compile(filter("k == 'v'")).operands()).as("of a range").hasSize(2);
		assertThat(ids(this.index.search(vector(), 10, ANY_SCORE, filter("k == 'v'")))).containsExactly("id");
		assertThat(this.index.search(vector(), 10, ANY_SCORE, filter("k == 'w'"))).isEmpty();
	}

	@Test
	void storesNothingWhileTheKernelIsNotActive() {
		addMany(10);
		this.running.kernel().deactivate();
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> this.index.add(List.of(document("late", Map.of()))));
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> this.index.search(vector(), 1, ANY_SCORE, null));
		this.running.kernel().activate();
		assertThat(this.index.search(vector(), 20, ANY_SCORE, null)).hasSize(10);
	}

	@Test
	void removalIsStoredEvenIfTheKernelIsNotActive() {
		addMany(10);
		this.running.kernel().deactivate();
		this.index.remove(List.of("id3"));
		this.running.kernel().activate();
		assertThat(ids(this.index.search(vector(), 20, ANY_SCORE, null))).hasSize(9).doesNotContain("id3");
	}

	@Test
	void namesTheProblemUntilAChangeIsWritten() {
		StorageException full = new StorageException("documents.mv could not be written.", "Make room.", null);
		DocumentStorage failing = spy(this.storage);
		willThrow(full).willCallRealMethod().given(failing).remove(anyCollection());
		DocumentIndex failingIndex = new DocumentIndex(failing, this.running.kernel(), SimilarityMetric.DOT_PRODUCT,
				elementType(), DIMENSIONS, 0, RowGraph.NONE);
		assertThatExceptionOfType(StorageException.class).isThrownBy(() -> failingIndex.remove(List.of("id")));
		failingIndex.load();
		assertThat(failingIndex.problem()).isEqualTo("documents.mv could not be written. Make room.");
		failingIndex.remove(List.of("id"));
		assertThat(failingIndex.problem()).isNull();
	}

	@Test
	void saysThatItIsClosed() {
		addMany(3);
		this.index.close();
		assertThatIllegalStateException().isThrownBy(() -> this.index.search(vector(), 1, ANY_SCORE, null))
			.withMessageContaining("The vector store has been closed");
		assertThatIllegalStateException().isThrownBy(() -> addMany(1)).withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> this.index.remove(List.of("id1")))
			.withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(() -> this.index.vector("id1")).withMessageContaining("closed");
	}

	@Test
	void refusesFiltersWithoutOperandsEvenWithoutDocuments() {
		Filter.Expression expression = new Filter.Expression(Filter.ExpressionType.EQ, new Filter.Key("a"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.index.search(vector(), 1, ANY_SCORE, expression));
		assertThatIllegalArgumentException().isThrownBy(() -> this.index.remove(expression));
	}

	@Test
	void searchSeesAllOfAnAddOrNothingOfIt() throws Exception {
		int size = 300;
		int rounds = 100;
		AtomicBoolean done = new AtomicBoolean();
		this.index.add(version(0, size));
		ExecutorService readers = Executors.newFixedThreadPool(4);
		try {
			List<CompletableFuture<Integer>> reads = IntStream.range(0, 4)
				.mapToObj((reader) -> CompletableFuture.supplyAsync(() -> readVersions(size, done), readers))
				.toList();
			for (int version = 1; version <= rounds; version++) {
				this.index.add(version(version, size));
				if (version % 50 == 0) {
					this.running.loseIndex();
				}
			}
			done.set(true);
			for (CompletableFuture<Integer> read : reads) {
				assertThat(read.get(30, TimeUnit.SECONDS)).isPositive();
			}
		}
		finally {
			done.set(true);
			readers.shutdownNow();
		}
	}

	@Test
	void searchesOfManyThreadsFindWhatSortingAllOfThemFinds() throws Exception {
		int threads = 12;
		List<IndexedDocument> documents = addMany(4 * (1 << 16) / DIMENSIONS + 1);
		List<float[]> queries = IntStream.range(0, 4 * threads).mapToObj((i) -> vector()).toList();
		ExecutorService callers = Executors.newFixedThreadPool(threads);
		try {
			List<CompletableFuture<List<Document>>> searches = queries.stream()
				.map((query) -> CompletableFuture.supplyAsync(() -> this.index.search(query, 5, ANY_SCORE, null),
						callers))
				.toList();
			for (int i = 0; i < queries.size(); i++) {
				assertThat(ids(searches.get(i).get(30, TimeUnit.SECONDS)))
					.isEqualTo(nearest(documents, queries.get(i), 5));
			}
		}
		finally {
			callers.shutdownNow();
		}
	}

	private List<IndexedDocument> version(int version, int size) {
		float[] vector = new float[DIMENSIONS];
		return IntStream.range(0, size)
			.mapToObj((i) -> new IndexedDocument("id" + i, "", Map.of("version", version), vector))
			.toList();
	}

	private int readVersions(int size, AtomicBoolean done) {
		int reads = 0;
		float[] query = new float[DIMENSIONS];
		do {
			List<Document> matches = this.index.search(query, 2 * size, ANY_SCORE, filter("version >= 0"));
			assertThat(matches).hasSize(size);
			assertThat(matches.stream().map((match) -> match.getMetadata().get("version")).distinct()).hasSize(1);
			reads++;
		}
		while (!done.get());
		return reads;
	}

}
