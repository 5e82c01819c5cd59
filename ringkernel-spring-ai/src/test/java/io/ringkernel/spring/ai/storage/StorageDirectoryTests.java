package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StorageDirectory}: which files are opened, and which are refused.
 */
class StorageDirectoryTests {

	private static final StoredDocument FIRST = new StoredDocument("a", "first \u00e4\ud83d\ude00", "{\"k\":1}");

	private static final StoredDocument SECOND = new StoredDocument("b", "second", "{}");

	@TempDir
	private Path directory;

	private DocumentStorage open() {
		return DocumentStorage.open(this.directory, 2, "");
	}

	private static void add(DocumentStorage storage, StoredDocument document, int row, float... vector) {
		try (VectorWrite written = storage.writeVectors(new int[] { row }, List.of(vector))) {
			storage.add(Map.of(document, row), written, () -> {
			});
		}
	}

	private static List<String> contents(DocumentStorage storage) {
		List<String> contents = new ArrayList<>();
		storage.forEach(0, storage.endOfRows(), (row, document, stored) -> {
			float[] vector = new float[2];
			stored.read(vector, 0);
			contents.add("%d %s %s %s".formatted(row, document.id(), vector[0], vector[1]));
		});
		return contents;
	}

	@Test
	void aFileThatCannotBeReadIsLetGo() {
		open().close();
		try (MVStore store = MVStore.open(this.directory.resolve("documents.mv").toString())) {
			store.<Long, String>openMap("rows").put(0L, "text without an id");
		}
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(StorageException.class).isThrownBy(this::open)
				.withMessageContaining("documents.mv cannot be read.")
				.withMessageContaining("Restore documents.mv and vectors.bin from one backup");
		}
	}

	@Test
	void refusesVectorsOfOtherDimensions() {
		open().close();
		assertThatExceptionOfType(StorageException.class).isThrownBy(() -> DocumentStorage.open(this.directory, 3, ""))
			.withMessageContaining("holds vectors of 2 dimensions, but the embedding model makes 3");
	}

	@Test
	void refusesADirectoryThatIsInUse() {
		try (DocumentStorage storage = open()) {
			assertThat(storage.size()).isZero();
			assertThatExceptionOfType(StorageException.class).isThrownBy(this::open)
				.withMessageContaining("documents.mv is in use by another store, of this process or another one")
				.withMessageContaining("another application context");
		}
	}

	@Test
	void refusesAFileThatIsNoneOfIts() throws Exception {
		Files.write(this.directory.resolve("vectors.bin"), new byte[8192]);
		assertThatExceptionOfType(StorageException.class).isThrownBy(this::open)
			.withMessageContaining("no file of vectors");
	}

	@Test
	void refusesADirectoryThatIsAFile() throws Exception {
		Path file = Files.createFile(this.directory.resolve("file"));
		assertThatExceptionOfType(StorageException.class).isThrownBy(() -> DocumentStorage.open(file, 2, ""))
			.withMessageContaining("cannot be opened");
	}

	@Test
	void refusesOlderDocumentsBesideNewerVectors() throws IOException {
		Path documents = this.directory.resolve("documents.mv");
		Path older = this.directory.resolve("older.mv");
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 2);
		}
		Files.copy(documents, older);
		try (DocumentStorage storage = open()) {
			storage.remove(List.of("a"));
			add(storage, SECOND, 0, 3, 4);
		}
		Files.copy(older, documents, StandardCopyOption.REPLACE_EXISTING);
		assertRefused("do not belong together", "documents.mv is older");
	}

	@Test
	void refusesOlderVectorsBesideNewerDocuments() throws IOException {
		Path vectors = this.directory.resolve("vectors.bin");
		Path older = this.directory.resolve("older.bin");
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 2);
		}
		Files.copy(vectors, older);
		try (DocumentStorage storage = open()) {
			storage.remove(List.of("a"));
			add(storage, SECOND, 0, 3, 4);
		}
		Files.copy(older, vectors, StandardCopyOption.REPLACE_EXISTING);
		try (DocumentStorage storage = open()) {
			assertThatExceptionOfType(StorageException.class).isThrownBy(() -> contents(storage))
				.withMessageContaining("The vector of row 0 in " + vectors)
				.withMessageContaining("the document 'b' in " + documents())
				.withMessageContaining("from one backup");
			assertThatExceptionOfType(StorageException.class).isThrownBy(() -> storage.vector("b"));
		}
	}

	@Test
	void refusesMissingDocuments() throws IOException {
		addFirstAndClose();
		Files.delete(documents());
		assertRefused("do not belong together", "documents.mv is missing or empty, but there are vectors");
	}

	@Test
	void refusesEmptyDocuments() throws IOException {
		addFirstAndClose();
		Files.write(documents(), new byte[0]);
		assertRefused("do not belong together", "documents.mv is missing or empty, but there are vectors");
	}

	@Test
	void refusesTruncatedDocuments() throws IOException {
		addFirstAndClose();
		byte[] contents = Files.readAllBytes(documents());
		for (int blocks = 0; blocks < contents.length / 4096; blocks++) {
			Files.write(documents(), Arrays.copyOf(contents, blocks * 4096));
			assertRefused("documents.mv");
		}
	}

	@Test
	void refusesMissingVectors() throws IOException {
		addFirstAndClose();
		Files.delete(this.directory.resolve("vectors.bin"));
		assertRefused("do not belong together", "vectors.bin was missing");
	}

	@Test
	void refusesVectorsOfAnotherStore() throws IOException {
		addFirstAndClose();
		Path other = this.directory.resolve("other");
		try (DocumentStorage storage = DocumentStorage.open(other, 2, "")) {
			add(storage, SECOND, 0, 1, 2);
		}
		Files.copy(other.resolve("vectors.bin"), this.directory.resolve("vectors.bin"),
				StandardCopyOption.REPLACE_EXISTING);
		assertRefused("do not belong together", "each is of another store");
	}

	@Test
	void refusesFilesOfAnotherFormat() throws IOException {
		addFirstAndClose();
		Path vectors = this.directory.resolve("vectors.bin");
		byte[] contents = Files.readAllBytes(vectors);
		contents[8] = 1;
		Files.write(vectors, contents);
		assertRefused("vectors.bin is a file of vectors of format 1, but this version reads format 2",
				"add the documents again");
	}

	@Test
	void notesTheModelOfADirectoryThatNamesNone() {
		DocumentStorage.open(this.directory, 2, "").close();
		DocumentStorage.open(this.directory, 2, "modèle").close();
		DocumentStorage.open(this.directory, 2, "modèle").close();
		assertThatExceptionOfType(StorageException.class)
			.isThrownBy(() -> DocumentStorage.open(this.directory, 2, "other"))
			.withMessageContaining("'modèle'")
			.withMessageContaining("'other'");
	}

	@Test
	void aStoreOfOtherDimensionsChangesNothing() {
		addFirstAndClose();
		assertThatExceptionOfType(StorageException.class)
			.isThrownBy(() -> DocumentStorage.open(this.directory, 3, "wrong"))
			.withMessageContaining("holds vectors of 2 dimensions");
		DocumentStorage.open(this.directory, 2, "right").close();
	}

	@Test
	void aStoreThatFindsTheDirectoryInUseChangesNothing() {
		try (DocumentStorage storage = open()) {
			assertThatExceptionOfType(StorageException.class)
				.isThrownBy(() -> DocumentStorage.open(this.directory, 2, "wrong"))
				.withMessageContaining("documents.mv is in use");
		}
		DocumentStorage.open(this.directory, 2, "right").close();
	}

	@Test
	void aStoreThatFindsANewDirectoryInUseMakesNoFile() {
		DocumentFile other = DocumentFile.open(documents().toString());
		assertThatExceptionOfType(StorageException.class).isThrownBy(this::open)
			.withMessageContaining("documents.mv is in use");
		assertThat(this.directory.resolve("vectors.bin")).doesNotExist();
		other.abandon();
	}

	@Test
	void aStoreWhoseFilesDoNotBelongTogetherChangesNothing() throws IOException {
		addFirstAndClose();
		byte[] contents = Files.readAllBytes(documents());
		Files.delete(documents());
		assertThatExceptionOfType(StorageException.class)
			.isThrownBy(() -> DocumentStorage.open(this.directory, 2, "wrong"))
			.withMessageContaining("documents.mv is missing or empty");
		Files.write(documents(), contents);
		DocumentStorage.open(this.directory, 2, "right").close();
	}

	@Test
	void copyNotesTheModel() {
		Path copy = this.directory.resolve("copy");
		try (DocumentStorage storage = DocumentStorage.open(this.directory, 2, "right");
				StorageSnapshot snapshot = storage.snapshot(() -> {
				})) {
			snapshot.copyTo(copy);
		}
		assertThatExceptionOfType(StorageException.class).isThrownBy(() -> DocumentStorage.open(copy, 2, "wrong"))
			.withMessageContaining("'right'");
	}

	@Test
	void refusesANameOfAModelThatIsTooLong() {
		assertThatExceptionOfType(StorageException.class)
			.isThrownBy(() -> DocumentStorage.open(this.directory, 2, "x".repeat(1025)))
			.withMessageContaining("takes 1025 bytes")
			.withMessageContaining("has room for 1024");
		DocumentStorage.open(this.directory, 2, "right").close();
	}

	@Test
	void opensWhatAProcessLeftThatEndedBeforeItHadAFileOfDocuments() throws IOException {
		VectorFile.open(this.directory.resolve("vectors.bin"), 2, "").close();
		addFirstAndClose();
		try (DocumentStorage storage = open()) {
			assertThat(contents(storage)).containsExactly("0 a 1.0 2.0");
		}
	}

	private Path documents() {
		return this.directory.resolve("documents.mv");
	}

	private void addFirstAndClose() {
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 2);
		}
	}

	private void assertRefused(String... sentences) {
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(StorageException.class).isThrownBy(this::open)
				.satisfies((ex) -> assertThat(ex.getMessage()).contains(sentences))
				.satisfies((ex) -> assertThat(ex.remedy()).contains("again"));
		}
	}

}
