package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DocumentStorage} on a disk that is full when documents are committed.
 */
class FullDiskTests {

	private static final StoredDocument FIRST = new StoredDocument("a", "first", "{}");

	@TempDir
	private Path directory;

	private DocumentStorage storage;

	@BeforeEach
	void addFirst() throws IOException {
		this.storage = open();
		add(FIRST, 0);
	}

	@AfterEach
	void close() {
		FullDisk.leave(Long.MAX_VALUE);
		this.storage.close();
	}

	private DocumentStorage open() throws IOException {
		VectorFile vectors = VectorFile.open(this.directory.resolve("vectors.bin"), 1, "");
		DocumentFile documents = DocumentFile.open(FullDisk.name(this.directory.resolve("documents.mv")));
		documents.tieTo(vectors);
		return new DocumentStorage(documents, vectors);
	}

	private void add(StoredDocument document, int row) {
		try (VectorWrite written = this.storage.writeVectors(new int[] { row }, List.of(new float[] { row }))) {
			this.storage.add(Map.of(document, row), written, () -> {
			});
		}
	}

	@Test
	void changesNothingAndGoesOnOnceThereIsRoom() throws IOException {
		FullDisk.leave(0);
		StoredDocument second = new StoredDocument("b", "second", "{}");
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(StorageException.class).isThrownBy(() -> add(second, 1))
				.withMessageContaining("documents.mv")
				.withMessageContaining("Nothing was changed");
			assertThatExceptionOfType(StorageException.class).isThrownBy(() -> this.storage.remove(List.of("a")));
			assertThat(this.storage.size()).isEqualTo(1);
			assertThat(this.storage.rowOf("b")).isNull();
			assertThat(this.storage.document(0)).isEqualTo(FIRST);
		}
		FullDisk.leave(Long.MAX_VALUE);
		add(second, 1);
		assertThat(this.storage.size()).isEqualTo(2);
		this.storage.close();
		this.storage = open();
		assertThat(this.storage.document(0)).isEqualTo(FIRST);
		assertThat(this.storage.document(1)).isEqualTo(second);
	}

	@Test
	void changesAllOrNothingWhereverInACommitTheDiskIsFull() throws IOException {
		List<String> expected = new ArrayList<>(List.of("a"));
		int failures = 0;
		for (int row = 1; row <= 60; row++) {
			String id = "id" + row;
			FullDisk.leave(row * 300L);
			try {
				add(new StoredDocument(id, "text ".repeat(1000), "{}"), row);
				expected.add(id);
			}
			catch (StorageException ex) {
				assertThat(ex).hasMessageContaining("Nothing was changed");
				failures++;
			}
			FullDisk.leave(Long.MAX_VALUE);
			assertThat(ids()).isEqualTo(expected);
			if (row % 10 == 0) {
				this.storage.close();
				this.storage = open();
				assertThat(ids()).isEqualTo(expected);
			}
		}
		assertThat(failures).isPositive();
		assertThat(expected).hasSizeGreaterThan(1).hasSize(61 - failures);
	}

	private List<String> ids() {
		List<String> ids = new ArrayList<>();
		this.storage.forEach(0, this.storage.endOfRows(), (row, document, vector) -> ids.add(document.id()));
		assertThat(this.storage.size()).isEqualTo(ids.size());
		assertThat(ids).allMatch((id) -> this.storage.rowOf(id) != null);
		return ids;
	}

}
