package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.index.DocumentIndex;
import io.ringkernel.spring.ai.index.IndexedDocument;
import org.springframework.ai.document.Document;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for a {@link DocumentIndex} whose kernel loses its documents after a disk was
 * full.
 */
class FullDiskReloadTests {

	private static final int DIMENSIONS = 2;

	private static final IndexedDocument FIRST = new IndexedDocument("first", "text", Map.of("n", 1),
			new float[] { 1, 0 });

	private static final IndexedDocument SECOND = new IndexedDocument("second", "text ".repeat(2000), Map.of("n", 2),
			new float[] { 0, 1 });

	private static final IndexedDocument OTHER = new IndexedDocument("other", "text", Map.of("n", 3),
			new float[] { -1, 0 });

	private final RunningKernel running = new RunningKernel();

	@TempDir
	private Path directory;

	private DocumentIndex index;

	@BeforeEach
	void addFirst() throws IOException {
		this.index = open();
		this.index.add(List.of(FIRST));
	}

	@AfterEach
	void close() {
		FullDisk.leave(Long.MAX_VALUE);
		this.index.close();
		this.running.close();
	}

	private DocumentIndex open() throws IOException {
		VectorFile vectors = VectorFile.open(this.directory.resolve("vectors.bin"), DIMENSIONS, "");
		DocumentFile documents = DocumentFile.open(FullDisk.name(this.directory.resolve("documents.mv")));
		documents.tieTo(vectors);
		return new DocumentIndex(new DocumentStorage(documents, vectors), this.running.kernel(),
				SimilarityMetric.COSINE, ElementType.FLOAT32, DIMENSIONS, 0, RowGraph.NONE);
	}

	private void fail(int bytes, Runnable change) {
		FullDisk.leave(bytes);
		assertThatExceptionOfType(StorageException.class).isThrownBy(change::run)
			.withMessageContaining("Nothing was changed");
	}

	private List<String> found() {
		return this.index.search(new float[] { 1, 0 }, 10, Double.NEGATIVE_INFINITY, null)
			.stream()
			.map(Document::getId)
			.toList();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 3000, 5000 })
	void loadsWhatWasThereBeforeAnAddThatFailed(int bytes) throws IOException {
		fail(bytes, () -> this.index.add(List.of(SECOND)));
		assertThat(this.index.problem()).contains("documents.mv");
		assertThat(found()).containsExactly("first");
		this.running.loseIndex();
		assertThat(found()).as("loaded while the disk is full").containsExactly("first");
		FullDisk.leave(Long.MAX_VALUE);
		this.index.add(List.of(OTHER));
		assertThat(this.index.problem()).isNull();
		this.running.loseIndex();
		assertThat(found()).as("loaded from the file, and a row that was written before")
			.containsExactly("first", "other");
		this.index.close();
		this.index = open();
		assertThat(found()).as("opened again").containsExactly("first", "other");
		assertThat(this.index.vector("other")).hasValue(new float[] { -1, 0 });
	}

	@Test
	void loadsWhatWasThereBeforeOtherChangesThatFailed() throws IOException {
		this.index.add(List.of(SECOND));
		fail(0, () -> this.index.remove(List.of("first")));
		fail(0, () -> this.index.updateMetadata(List.of("first"), (metadata) -> Map.of("n", 9)));
		fail(0, this.index::removeAll);
		this.running.loseIndex();
		assertThat(found()).containsExactly("first", "second");
		FullDisk.leave(Long.MAX_VALUE);
		this.index.close();
		this.index = open();
		assertThat(found()).containsExactly("first", "second");
		assertThat(this.index.get(List.of("first")).get(0).getMetadata()).isEqualTo(Map.of("n", 1));
	}

}
