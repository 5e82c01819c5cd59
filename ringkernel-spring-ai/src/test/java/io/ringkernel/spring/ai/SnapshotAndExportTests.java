package io.ringkernel.spring.ai;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.spring.ai.storage.StorageException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.SearchRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link RingKernelVectorStore#snapshot} and {@link StoredDocuments#export}.
 */
class SnapshotAndExportTests {

	private static final int DIMENSIONS = 8;

	private final RunningKernel running = new RunningKernel();

	@TempDir
	private Path directory;

	private RingKernelVectorStore store = open(null);

	private RingKernelVectorStore open(Path from) {
		return RingKernelVectorStore.builder(new HashEmbeddingModel(DIMENSIONS), this.running.kernel())
			.directory(from)
			.build();
	}

	private void reopen(Path from) {
		this.store.destroy();
		this.store = open(from);
	}

	@AfterEach
	void stop() {
		this.store.destroy();
		this.running.close();
	}

	private static List<Document> documents(int from, int to) {
		return IntStream.range(from, to)
			.mapToObj((i) -> new Document("id" + i, "text " + i, Map.of("number", i)))
			.toList();
	}

	private List<String> found(String query) {
		return this.store.similaritySearch(SearchRequest.builder().query(query).topK(1).build())
			.stream()
			.map(Document::getId)
			.toList();
	}

	@Test
	void storeIsRestoredFromACopyOfItsDirectory() {
		reopen(this.directory.resolve("original"));
		this.store.add(documents(0, 6000));
		this.store.delete("number >= 100 && number < 5900");
		assertThat(this.store.snapshot(this.directory.resolve("copies/first"))).isEqualTo(200);
		this.store.documents().deleteAll();
		reopen(this.directory.resolve("copies/first"));
		assertThat(this.store.size()).isEqualTo(200);
		assertThat(found("text 5999")).containsExactly("id5999");
		assertThat(this.store.documents().findById("id7").map(Document::getMetadata)).hasValue(Map.of("number", 7));
		this.store.add(documents(6000, 6001));
		assertThat(found("text 6000")).containsExactly("id6000");
	}

	@Test
	void storeWithoutADirectoryIsCopiedToo() {
		this.store.add(documents(0, 3));
		this.store.snapshot(this.directory.resolve("copy"));
		reopen(this.directory.resolve("copy"));
		assertThat(found("text 2")).containsExactly("id2");
	}

	/** Each change gives all documents another round, and their rows to each other. */
	@Test
	void copyIsOfOneMomentWhileDocumentsAreChanged() {
		reopen(this.directory.resolve("original"));
		this.store.add(round(0));
		AtomicBoolean ended = new AtomicBoolean();
		CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
			for (int i = 1; !ended.get(); i++) {
				this.store.add(round(i));
			}
		});
		List<Path> copies = IntStream.range(0, 8).mapToObj((i) -> this.directory.resolve("copy" + i)).toList();
		copies.forEach(this.store::snapshot);
		ended.set(true);
		changes.join();
		for (Path copy : copies) {
			reopen(copy);
			List<Document> all = this.store.documents().list(null, 1000, null).documents();
			assertThat(all).hasSize(300);
			assertThat(all).extracting((document) -> document.getMetadata().get("round"))
				.containsOnly(all.get(0).getMetadata().get("round"));
			assertThat(all).allSatisfy((document) -> assertThat(this.store.embedding(document.getId()))
				.hasValue(new HashEmbeddingModel(DIMENSIONS).embed(document)));
		}
	}

	private static List<Document> round(int round) {
		return IntStream.range(0, 300)
			.mapToObj((i) -> new Document("id" + i, "text %d of %d".formatted(i, round), Map.of("round", round)))
			.toList();
	}

	@Test
	void filesOfTheOriginalAndOfACopyDoNotBelongTogether() throws IOException {
		Path original = this.directory.resolve("original");
		Path copy = this.directory.resolve("copy");
		reopen(original);
		this.store.add(documents(0, 3));
		this.store.snapshot(copy);
		reopen(null);
		Files.delete(copy.resolve("vectors.bin"));
		Files.copy(original.resolve("vectors.bin"), copy.resolve("vectors.bin"));
		assertThatExceptionOfType(StorageException.class).isThrownBy(() -> open(copy))
			.withMessageContaining("do not belong together");
	}

	@Test
	void refusesADirectoryThatHoldsFiles() throws IOException {
		this.store.add(documents(0, 3));
		Files.createDirectory(this.directory.resolve("empty"));
		assertThat(this.store.snapshot(this.directory.resolve("empty"))).isEqualTo(3);
		assertThatExceptionOfType(StorageException.class)
			.isThrownBy(() -> this.store.snapshot(this.directory.resolve("empty")))
			.withMessageContaining("is no empty directory")
			.withMessageContaining("Name a directory that is not there");
		Files.writeString(this.directory.resolve("file"), "");
		assertThatExceptionOfType(StorageException.class)
			.isThrownBy(() -> this.store.snapshot(this.directory.resolve("file/copy")))
			.withMessageContaining("No snapshot could be written");
		try (Stream<Path> files = Files.list(this.directory)) {
			assertThat(files.map((file) -> file.getFileName().toString())).containsExactlyInAnyOrder("empty", "file");
		}
	}

	@Test
	void exportsEachDocumentAsALineOfJson() throws IOException {
		this.store.add(List.of(new Document("a", "line\nbreak \u00e4", Map.of("tags", List.of("x", 1), "open", true)),
				new Document("b", "", Map.of())));
		ByteArrayOutputStream target = new ByteArrayOutputStream();
		assertThat(this.store.documents().export(target)).isEqualTo(2);
		List<String> lines = target.toString(StandardCharsets.UTF_8).lines().toList();
		assertThat(lines).hasSize(2);
		JsonNode first = new JsonMapper().readTree(lines.get(0));
		assertThat(first.propertyNames()).containsExactly("id", "text", "metadata", "vector");
		assertThat(first.get("id").asString()).isEqualTo("a");
		assertThat(first.get("text").asString()).isEqualTo("line\nbreak \u00e4");
		assertThat(first.get("metadata").get("tags").get(0).asString()).isEqualTo("x");
		float[] vector = new float[DIMENSIONS];
		for (int i = 0; i < vector.length; i++) {
			vector[i] = first.get("vector").get(i).floatValue();
		}
		assertThat(this.store.embedding("a")).hasValue(vector);
		assertThat(target.toString(StandardCharsets.UTF_8)).endsWith("}\n");
	}

	@Test
	void exportOfAnEmptyStoreIsEmpty() throws IOException {
		ByteArrayOutputStream target = new ByteArrayOutputStream();
		assertThat(this.store.documents().export(target)).isZero();
		assertThat(target.size()).isZero();
	}

	@Test
	void failureOfTheTargetEndsTheExport() {
		this.store.add(documents(0, 1000));
		assertThatIOException().isThrownBy(() -> this.store.documents().export(new OutputStream() {

			@Override
			public void write(int value) throws IOException {
				throw new IOException("no space");
			}

		})).withMessage("no space");
		assertThat(found("text 1")).containsExactly("id1");
	}

}
