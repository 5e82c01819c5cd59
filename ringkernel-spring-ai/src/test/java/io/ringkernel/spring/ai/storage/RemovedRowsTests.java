package io.ringkernel.spring.ai.storage;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link RemovedRows}: what is read of documents after their removal.
 */
class RemovedRowsTests {

	private static final StoredDocument FIRST = new StoredDocument("a", "first", "{}");

	private static final StoredDocument SECOND = new StoredDocument("b", "second", "{}");

	/** MVStore keeps few of them in memory. */
	private static final String LONG = "text ".repeat(10_000);

	@TempDir
	private Path directory;

	private static void add(DocumentStorage storage, StoredDocument document, int row) {
		try (VectorWrite written = storage.writeVectors(new int[] { row }, List.of(new float[] { row }))) {
			storage.add(Map.of(document, row), written, () -> {
			});
		}
	}

	@Test
	void documentsOfSeveralRemovalsAreReadUntilTheirRowsAreReleased() {
		try (DocumentStorage storage = DocumentStorage.open(this.directory, 1, "")) {
			add(storage, FIRST, 0);
			add(storage, SECOND, 1);
			storage.remove(List.of("a"));
			assertThat(storage.removeAll()).containsExactly(1);
			for (int row = 2; row < 100; row++) {
				add(storage, new StoredDocument("id" + row, LONG, "{}"), row);
			}
			assertThat(storage.document(0)).isEqualTo(FIRST);
			assertThat(storage.document(1)).isEqualTo(SECOND);
			storage.release(0);
			assertThat(storage.document(0)).isNull();
			assertThat(storage.document(1)).isEqualTo(SECOND);
		}
	}

	@Test
	void rowThatIsUsedAgainHoldsItsNextDocument() {
		try (DocumentStorage storage = DocumentStorage.temporary(1)) {
			add(storage, FIRST, 0);
			storage.removeAll();
			assertThat(storage.document(0)).isEqualTo(FIRST);
			storage.release(0);
			add(storage, SECOND, 0);
			assertThat(storage.document(0)).isEqualTo(SECOND);
			storage.remove(List.of("b"));
			storage.release(0);
			assertThat(storage.document(0)).isNull();
		}
	}

	@Test
	void saysThatACommitHasFailedSinceADocumentWasRemoved() throws IOException {
		VectorFile vectors = VectorFile.open(this.directory.resolve("vectors.bin"), 1, "");
		DocumentFile documents = DocumentFile.open(FullDisk.name(this.directory.resolve("documents.mv")));
		documents.tieTo(vectors);
		try (DocumentStorage storage = new DocumentStorage(documents, vectors)) {
			add(storage, new StoredDocument("a", LONG, "{}"), 0);
			for (int row = 1; row < 100; row++) {
				add(storage, new StoredDocument("id" + row, LONG, "{}"), row);
			}
			storage.remove(List.of("a"));
			FullDisk.leave(0);
			assertThatExceptionOfType(StorageException.class).isThrownBy(() -> storage.remove(List.of("id1")));
			FullDisk.leave(Long.MAX_VALUE);
			assertThat(storage.document(1)).isNotNull();
			assertThatExceptionOfType(StorageException.class).isThrownBy(() -> storage.document(0))
				.withMessageContaining("row 0 of ")
				.withMessageContaining("a commit has failed since it was removed. Search again.");
		}
		finally {
			FullDisk.leave(Long.MAX_VALUE);
		}
	}

	@Test
	void removesMoreTextThanTheHeapHolds() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx64m", "-XX:TieredStopAtLevel=1",
				"-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener", "-cp",
				System.getProperty("java.class.path"), SmallHeapProcess.class.getName(), this.directory.toString())
			.redirectErrorStream(true)
			.start();
		try (BufferedReader output = process.inputReader()) {
			List<String> lines = assertTimeoutPreemptively(Duration.ofSeconds(120), () -> output.lines().toList());
			String removed = String.valueOf(SmallHeapProcess.DOCUMENTS);
			assertThat(lines).containsExactly(removed, removed);
		}
		finally {
			process.destroyForcibly();
		}
	}

}
