package io.ringkernel.spring.ai;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.content.Media;
import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.MimeTypeUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link StoredDocuments}, and for vectors that are added as they are.
 */
class StoredDocumentsTests {

	private static final int DIMENSIONS = 8;

	private final RunningKernel running = new RunningKernel();

	private final AtomicInteger embedded = new AtomicInteger();

	private RingKernelVectorStore store = builder().build();

	private RingKernelVectorStore.Builder builder() {
		return RingKernelVectorStore.builder(new HashEmbeddingModel(DIMENSIONS) {

			@Override
			protected float[] vector(String text) {
				StoredDocumentsTests.this.embedded.incrementAndGet();
				return super.vector(text);
			}

		}, this.running.kernel());
	}

	@AfterEach
	void stop() {
		this.store.destroy();
		this.running.close();
	}

	private void addMany(int count) {
		this.store.add(IntStream.range(0, count)
			.mapToObj((i) -> new Document("id" + i, "text " + i, Map.of("number", i, "tags", List.of("all", i))))
			.toList());
	}

	private static Filter.Expression filter(String expression) {
		return new FilterExpressionTextParser().parse(expression);
	}

	private static List<String> ids(List<Document> documents) {
		return documents.stream().map(Document::getId).toList();
	}

	private List<String> found(String query) {
		return ids(this.store
			.similaritySearch(SearchRequest.builder().query(query).topK(100).similarityThresholdAll().build()));
	}

	@Test
	void findsDocumentsByTheirIds() {
		addMany(3);
		assertThat(this.store.documents().findById("id1")).hasValueSatisfying((document) -> {
			assertThat(document.getText()).isEqualTo("text 1");
			assertThat(document.getMetadata()).containsEntry("number", 1);
			assertThat(document.getScore()).isNull();
		});
		assertThat(this.store.documents().findById("other")).isEmpty();
		assertThat(ids(this.store.documents().findAllById(List.of("id2", "other", "id0", "id2"))))
			.containsExactly("id2", "id0");
	}

	@Test
	void listsAllDocumentsAPageAtATime() {
		addMany(700);
		List<String> listed = new ArrayList<>();
		DocumentPage page = this.store.documents().list(null, 300, null);
		listed.addAll(ids(page.documents()));
		assertThat(listed).hasSize(300);
		page = this.store.documents().list(null, 300, page.next());
		listed.addAll(ids(page.documents()));
		page = this.store.documents().list(null, 300, page.next());
		listed.addAll(ids(page.documents()));
		assertThat(page.next()).isNull();
		assertThat(listed).containsExactlyElementsOf(IntStream.range(0, 700).mapToObj((i) -> "id" + i).toList());
	}

	@Test
	void listsAndCountsWhatAFilterSelects() {
		addMany(600);
		DocumentPage page = this.store.documents().list(filter("number >= 500 && tags == 'all'"), 60, null);
		assertThat(ids(page.documents())).startsWith("id500", "id501").hasSize(60);
		assertThat(
				ids(this.store.documents().list(filter("number >= 500 && tags == 'all'"), 60, page.next()).documents()))
			.startsWith("id560")
			.hasSize(40);
		assertThat(this.store.documents().count(filter("number >= 500"))).isEqualTo(100);
		assertThat(this.store.documents().count(filter("tags IN [3, 'other']"))).isEqualTo(1);
		assertThat(this.store.documents().count(filter("number < 0"))).isZero();
	}

	@Test
	void pageThatHoldsAllIsTheLastOne() {
		addMany(128);
		assertThat(this.store.documents().list(null, 128, null).next()).isNull();
		assertThat(this.store.documents().list(null, 127, null).next()).isNotNull();
		this.store.documents().deleteAll();
		assertThat(this.store.documents().list(null, 1, null)).isEqualTo(new DocumentPage(List.of(), null));
	}

	@Test
	void documentThatIsNotChangedIsOnOnePageWhileOthersAre() {
		addMany(400);
		AtomicBoolean ended = new AtomicBoolean();
		CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
			for (int i = 0; !ended.get(); i++) {
				this.store.add(List.of(new Document("changing" + i % 50, "text", Map.of())));
				this.store.delete(List.of("changing" + (i + 25) % 50));
			}
		});
		for (int round = 0; round < 20; round++) {
			List<String> listed = new ArrayList<>();
			for (String cursor = null;;) {
				DocumentPage page = this.store.documents().list(null, 37, cursor);
				listed.addAll(ids(page.documents()));
				cursor = page.next();
				if (cursor == null) {
					break;
				}
			}
			listed.removeIf((id) -> id.startsWith("changing"));
			assertThat(listed).containsExactlyElementsOf(IntStream.range(0, 400).mapToObj((i) -> "id" + i).toList());
		}
		ended.set(true);
		changes.join();
	}

	@Test
	void refusesPagesThatThereAreNot() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.documents().list(null, 10_001, null))
			.withMessage("The limit of a page is 10001. Pass 1 to 10000, and ask for further pages by the cursor.");
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.documents().list(null, 0, null));
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.documents().list(null, 1, "next"))
			.withMessageContaining("'next' is no cursor");
		for (String cursor : new String[] { "-1", "134217728", "2147483647", "3000000000", "" }) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.store.documents().list(null, 1, cursor))
				.withMessageContaining("'%s' is no cursor".formatted(cursor));
		}
		assertThat(this.store.documents().list(null, 1, "134217727").documents()).isEmpty();
	}

	@Test
	void deletesAllAtOnce(@TempDir Path directory) {
		this.store.destroy();
		this.store = builder().directory(directory).build();
		addMany(3000);
		this.store.documents().deleteAll();
		assertThat(this.store.size()).isZero();
		assertThat(found("text 1")).isEmpty();
		this.store.add(List.of(new Document("new", "text", Map.of())));
		this.store.destroy();
		this.store = builder().directory(directory).build();
		assertThat(found("text")).containsExactly("new");
	}

	@Test
	void searchSeesAllDocumentsOrNoneWhileAllAreDeleted() {
		for (int round = 0; round < 10; round++) {
			addMany(500);
			CompletableFuture<Void> deletion = CompletableFuture.runAsync(this.store.documents()::deleteAll);
			Set<Integer> sizes = new HashSet<>();
			do {
				sizes.add(this.store
					.similaritySearch(SearchRequest.builder().query("text").topK(1000).similarityThresholdAll().build())
					.size());
			}
			while (!deletion.isDone());
			assertThat(sizes).isSubsetOf(0, 500);
			deletion.join();
		}
	}

	@Test
	void deletionOfAllIsObserved() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		this.store.destroy();
		this.store = builder().observationRegistry(registry).build();
		this.store.documents().deleteAll();
		TestObservationRegistryAssert.assertThat(registry)
			.hasObservationWithNameEqualTo("db.vector.client.operation")
			.that()
			.hasLowCardinalityKeyValue("db.operation.name", "delete")
			.hasBeenStopped();
	}

	@Test
	void addsVectorsWithoutTheEmbeddingModel() {
		this.store.add(List.of(new Document("a", "up", Map.of("n", 1)), new Document("b", "down", Map.of()),
				new Document("a", "up again", Map.of("n", 2))), List.of(vector(3), vector(-1), vector(1)));
		assertThat(this.embedded).hasValue(0);
		assertThat(this.store.size()).isEqualTo(2);
		assertThat(this.store.embedding("a")).hasValue(vector(1));
		assertThat(ids(this.store.similaritySearch(vector(-2), SearchRequest.builder().query("").topK(1).build())))
			.containsExactly("b");
	}

	private static float[] vector(float first) {
		float[] vector = new float[DIMENSIONS];
		vector[0] = first;
		return vector;
	}

	@Test
	void additionOfVectorsIsObserved() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		this.store.destroy();
		this.store = builder().observationRegistry(registry).build();
		this.store.add(List.of(), List.of());
		TestObservationRegistryAssert.assertThat(registry)
			.hasObservationWithNameEqualTo("db.vector.client.operation")
			.that()
			.hasLowCardinalityKeyValue("db.operation.name", "add")
			.hasBeenStopped();
	}

	@Test
	void refusesVectorsThatDoNotFit() {
		List<Document> documents = List.of(new Document("a", "text", Map.of()));
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.add(documents, List.of()))
			.withMessage("There are 1 documents and 0 vectors. Pass one vector for each.");
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.add(documents, List.of(new float[3])))
			.withMessageContaining("The vector of the document 'a' has 3 dimensions, but the store has 8.");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.add(documents, List.of(vector(Float.POSITIVE_INFINITY))))
			.withMessageContaining("The vector of the document 'a' is refused: its element 0 is Infinity.");
		assertThat(this.store.size()).isZero();
	}

	@Test
	void refusesDocumentsWithMedia() {
		Media image = new Media(MimeTypeUtils.IMAGE_PNG, new ByteArrayResource(new byte[1]));
		List<Document> documents = List.of(new Document("a", "text", Map.of()), new Document("b", image, Map.of()));
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.add(documents, List.of(vector(1), vector(2))))
			.withMessageContaining("The document 'b' has media")
			.withMessageContaining("Add a document with a text");
		assertThat(this.store.size()).isZero();
	}

	@Test
	void changesMetadataWithoutTheEmbeddingModel(@TempDir Path directory) {
		this.store.destroy();
		this.store = builder().directory(directory).build();
		addMany(3);
		float[] vector = this.store.embedding("id1").orElseThrow();
		int before = this.embedded.get();
		int changed = this.store.documents().updateMetadata(List.of("id1", "other", "id2", "id1"), (metadata) -> {
			metadata.merge("number", 100, (old, added) -> (int) old + (int) added);
			metadata.remove("tags");
			return metadata;
		});
		assertThat(changed).isEqualTo(2);
		assertThat(this.embedded).hasValue(before);
		assertThat(this.store.embedding("id1")).hasValue(vector);
		assertThat(this.store.documents().count(filter("number >= 100"))).isEqualTo(2);
		this.store.destroy();
		this.store = builder().directory(directory).build();
		assertThat(this.store.documents().findById("id1")).hasValueSatisfying((document) -> {
			assertThat(document.getText()).isEqualTo("text 1");
			assertThat(document.getMetadata()).isEqualTo(Map.of("number", 101));
		});
		assertThat(this.store.documents().findById("id0").map(Document::getMetadata).map((it) -> it.get("number")))
			.hasValue(0);
	}

	@Test
	void noChangeOfMetadataIsLost() {
		addMany(1);
		List<CompletableFuture<Integer>> changes = IntStream.range(0, 20)
			.mapToObj((i) -> CompletableFuture
				.supplyAsync(() -> this.store.documents().updateMetadata(List.of("id0"), (metadata) -> {
					metadata.merge("number", 1, (old, added) -> (int) old + (int) added);
					return metadata;
				})))
			.toList();
		changes.forEach((change) -> assertThat(change.join()).isEqualTo(1));
		assertThat(this.store.documents().count(filter("number == 20"))).isEqualTo(1);
	}

	@Test
	void refusesMetadataWithoutAValueAndChangesNothing() {
		addMany(2);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.documents().updateMetadata(List.of("id0", "id1"), (metadata) -> {
				if (Objects.equals(metadata.put("number", 5), 1)) {
					metadata.put("tags", null);
				}
				return metadata;
			}))
			.withMessageContaining("the value null at the key tags");
		assertThat(this.store.documents().count(filter("number == 5"))).isZero();
	}

}
