package io.ringkernel.spring.ai;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.document.Document;
import org.springframework.ai.test.vectorstore.BaseVectorStoreTests;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.VectorStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link RingKernelVectorStore}, beside those that every store of Spring AI
 * passes.
 */
class RingKernelVectorStoreTests extends BaseVectorStoreTests {

	private static final int DIMENSIONS = 64;

	private final RunningKernel running = new RunningKernel(backend());

	BackendKind backend() {
		return BackendKind.CPU;
	}

	IndexKind index() {
		return IndexKind.EXACT;
	}

	@AfterEach
	void stop() {
		this.running.close();
	}

	private RingKernelVectorStore.Builder builder() {
		return RingKernelVectorStore.builder(new HashEmbeddingModel(DIMENSIONS), this.running.kernel()).index(index());
	}

	@Override
	protected void executeTest(Consumer<VectorStore> test) {
		RingKernelVectorStore store = builder().build();
		try {
			test.accept(store);
		}
		finally {
			store.destroy();
		}
	}

	private static List<String> ids(List<Document> documents) {
		return documents.stream().map(Document::getId).toList();
	}

	private static Document document(String id, String text) {
		return new Document(id, text, Map.of());
	}

	@Test
	void findsTheNearestFirstWithScoreAndDistance() {
		executeTest((store) -> {
			store.add(List.of(document("cat", "the cat sat on the mat"), document("ship", "a ship sails far away"),
					document("dog", "the dog sat on the mat")));
			List<Document> found = store.similaritySearch(
					SearchRequest.builder().query("the cat sat on the mat").topK(2).similarityThresholdAll().build());
			assertThat(ids(found)).containsExactly("cat", "dog");
			assertThat(found.get(0).getText()).isEqualTo("the cat sat on the mat");
			assertThat(found.get(0).getScore()).isCloseTo(1, within(1e-6));
			assertThat((double) found.get(0).getMetadata().get("distance")).isCloseTo(0, within(1e-6));
			assertThat(found.get(1).getScore()).isLessThan(1);
		});
	}

	@Test
	void leavesOutWhatIsBelowTheThreshold() {
		executeTest((store) -> {
			store.add(List.of(document("same", "one two three"), document("other", "four five six")));
			SearchRequest.Builder request = SearchRequest.builder().query("one two three");
			assertThat(ids(store.similaritySearch(request.similarityThreshold(0.9).build()))).containsExactly("same");
			assertThat(store.similaritySearch(request.query("seven").similarityThreshold(1).build())).isEmpty();
		});
	}

	@Test
	void thresholdOfZeroAcceptsScoresBelowZero() {
		RingKernelVectorStore store = RingKernelVectorStore.builder(new HashEmbeddingModel(2) {

			@Override
			protected float[] vector(String text) {
				return text.equals("up") ? new float[] { 0, 1 } : new float[] { 0, -1 };
			}

		}, this.running.kernel()).build();
		store.add(List.of(document("down", "down")));
		assertThat(store.similaritySearch(SearchRequest.builder().query("up").similarityThresholdAll().build()))
			.singleElement()
			.extracting(Document::getScore)
			.isEqualTo(-1.0);
		store.destroy();
	}

	@Test
	void replacesADocumentWithTheSameId() {
		executeTest((store) -> {
			store.add(List.of(new Document("a", "first text", Map.of("version", 1))));
			store.add(List.of(document("b", "x"), new Document("a", "second", Map.of("version", 2)),
					new Document("a", "third text", Map.of("version", 3))));
			List<Document> found = store
				.similaritySearch(SearchRequest.builder().query("first text").topK(9).similarityThresholdAll().build());
			assertThat(ids(found)).containsExactlyInAnyOrder("a", "b");
			assertThat(found).filteredOn((document) -> document.getId().equals("a"))
				.singleElement()
				.satisfies((document) -> {
					assertThat(document.getText()).isEqualTo("third text");
					assertThat(document.getMetadata()).containsEntry("version", 3);
				});
		});
	}

	@Test
	void filtersByMetadata() {
		executeTest((store) -> {
			store.add(List.of(new Document("a", "x", Map.of("country", "BG", "year", 2020)),
					new Document("b", "x", Map.of("country", "BG", "year", 2023)),
					new Document("c", "x", Map.of("country", "NL", "year", 2023))));
			SearchRequest.Builder request = SearchRequest.builder().query("x").similarityThresholdAll();
			assertThat(ids(store.similaritySearch(request.filterExpression("country == 'BG' && year >= 2021").build())))
				.containsExactly("b");
			assertThat(ids(store.similaritySearch(request.filterExpression("NOT (country IN ['BG'])").build())))
				.containsExactly("c");
		});
	}

	@Test
	void documentsOfTheSameScoreComeInTheOrderInWhichTheyWereAdded() {
		executeTest((store) -> {
			List<Document> same = IntStream.range(0, 200)
				.mapToObj((i) -> document("id-" + (i * 7919 % 200), "same text"))
				.toList();
			store.add(same);
			assertThat(ids(store.similaritySearch(SearchRequest.builder().query("same text").topK(150).build())))
				.isEqualTo(ids(same).subList(0, 150));
		});
	}

	@Test
	void keepsWhatItStoredInADirectory(@TempDir Path directory) {
		RingKernelVectorStore store = builder().directory(directory).build();
		store.add(List.of(new Document("a", "kept text", Map.of("year", 2020))));
		store.destroy();
		RingKernelVectorStore reopened = builder().directory(directory).build();
		reopened.start();
		assertThat(reopened.size()).isEqualTo(1);
		assertThat(reopened
			.similaritySearch(SearchRequest.builder().query("kept text").filterExpression("year == 2020").build()))
			.singleElement()
			.extracting(Document::getText)
			.isEqualTo("kept text");
		reopened.destroy();
	}

	@Test
	void documentWhoseMetadataHaveAnEmptyValueIsFound() {
		executeTest((store) -> {
			store.add(List.of(new Document("a", "text", Map.of("none", Optional.empty(), "some", 1))));
			assertThat(store.similaritySearch("text")).singleElement()
				.satisfies((found) -> assertThat(found.getMetadata()).containsOnlyKeys("some", "distance"));
		});
	}

	@Test
	void textThatWasCutWithinACharacterIsTheSameAfterARestart(@TempDir Path directory) throws IOException {
		Document cut = new Document("a", "cut \ud83d", Map.of("title", "\ud83d"));
		// The one that counts tokens has an assertion that refuses such texts.
		RingKernelVectorStore store = builder().directory(directory).batchingStrategy(List::of).build();
		store.add(List.of(cut));
		Document stored = store.documents().findById("a").orElseThrow();
		assertThat(store.documents().export(OutputStream.nullOutputStream())).isOne();
		store.destroy();
		RingKernelVectorStore reopened = builder().directory(directory).build();
		assertThat(reopened.documents().findById("a")).hasValue(stored);
		reopened.destroy();
	}

	@Test
	void threadThatIsInterruptedClosesIt(@TempDir Path directory) {
		RingKernelVectorStore store = builder().directory(directory).build();
		store.add(List.of(document("a", "text")));
		Thread.currentThread().interrupt();
		store.destroy();
		assertThat(Thread.interrupted()).isTrue();
		RingKernelVectorStore reopened = builder().directory(directory).build();
		assertThat(ids(reopened.similaritySearch("text"))).containsExactly("a");
		reopened.destroy();
	}

	@Test
	void refusesWhatCannotBeStored() {
		RingKernelVectorStore store = builder().build();
		assertThatIllegalArgumentException().isThrownBy(() -> store.add(List.of(document("cut \ud83d", "text"))))
			.withMessageContaining("The id of the document 'cut ?' has a half of a surrogate pair");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> store
				.add(List.of(document("a", "text"), new Document("b", "text", Map.of("k".repeat(60_000), 1)))))
			.withMessageContaining("The metadata of the document 'b' cannot be stored: Name length (60000) exceeds");
		assertThat(store.size()).isZero();
		store.add(List.of(document("a", "text")));
		assertThat(ids(store.similaritySearch("text"))).containsExactly("a");
		store.destroy();
	}

	@Test
	void findsWhatIsNearestToTheVectorOfADocument() {
		RingKernelVectorStore store = builder().build();
		store.add(List.of(document("cat", "the cat sat on the mat"), document("ship", "a ship sails far away"),
				document("dog", "the dog sat on the mat")));
		float[] vector = store.embedding("dog").orElseThrow();
		assertThat(ids(store.similaritySearch(vector,
				SearchRequest.builder().query("").topK(2).similarityThresholdAll().build())))
			.containsExactly("dog", "cat");
		store.delete(List.of("dog"));
		assertThat(store.embedding("dog")).isEmpty();
		store.destroy();
	}

	@Test
	void searchForAVectorIsObservedAsThatForAText() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		RingKernelVectorStore store = builder().observationRegistry(registry).build();
		store.similaritySearch(new float[DIMENSIONS], SearchRequest.builder().query("its text").build());
		store.destroy();
		TestObservationRegistryAssert.assertThat(registry)
			.hasObservationWithNameEqualTo("db.vector.client.operation")
			.that()
			.hasLowCardinalityKeyValue("db.operation.name", "query")
			.hasHighCardinalityKeyValue("db.vector.query.content", "its text")
			.hasBeenStopped();
	}

	@Test
	void refusesVectorsOfOtherDimensionsAndWithoutNumbers() {
		RingKernelVectorStore store = RingKernelVectorStore.builder(new HashEmbeddingModel(2) {

			@Override
			protected float[] vector(String text) {
				return text.equals("long") ? new float[3] : new float[] { 0, Float.NaN };
			}

		}, this.running.kernel()).build();
		assertThatIllegalStateException().isThrownBy(() -> store.add(List.of(document("a", "long"))))
			.withMessageContaining("3 dimensions");
		assertThatIllegalStateException().isThrownBy(() -> store.add(List.of(document("a", "bad"))))
			.withMessageContaining("element 1 is NaN");
		assertThat(store.size()).isZero();
		store.destroy();
	}

	@Test
	void refusesAVectorOfOtherDimensionsToSearchFor() {
		RingKernelVectorStore store = builder().build();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> store.similaritySearch(new float[3], SearchRequest.builder().query("").build()))
			.withMessageContaining("The vector to search for has 3 dimensions, but the store has 64");
		store.destroy();
	}

	@Test
	void isObservedAsOtherStoresAre() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		RingKernelVectorStore store = builder().observationRegistry(registry)
			.metric(SimilarityMetric.EUCLIDEAN)
			.build();
		store.add(List.of(document("a", "x")));
		store.similaritySearch("x");
		store.destroy();
		TestObservationRegistryAssert.assertThat(registry)
			.hasObservationWithNameEqualTo("db.vector.client.operation")
			.that()
			.hasLowCardinalityKeyValue("db.system", "ringkernel")
			.hasHighCardinalityKeyValue("db.search.similarity_metric", "euclidean")
			.hasHighCardinalityKeyValue("db.collection.name", "vector-search")
			.hasBeenStopped();
	}

	@Test
	void givesItsKernelAsNativeClient() {
		executeTest((store) -> assertThat(store.<Object>getNativeClient()).contains(this.running.kernel()));
	}

}
