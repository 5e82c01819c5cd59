package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;

/**
 * Tests for {@link DocumentStorage}.
 */
class DocumentStorageTests {

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
	void keepsDocumentsAndVectorsInTheOrderOfTheirRows() {
		try (DocumentStorage storage = open()) {
			add(storage, SECOND, 7, 3, 4);
			add(storage, FIRST, 2, 1, 2);
		}
		try (DocumentStorage storage = open()) {
			assertThat(storage.size()).isEqualTo(2);
			assertThat(storage.document(2)).isEqualTo(FIRST);
			assertThat(contents(storage)).containsExactly("2 a 1.0 2.0", "7 b 3.0 4.0");
		}
	}

	@Test
	void documentThatIsReplacedCanBeReadUntilItsRowIsReleased() {
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 1);
			StoredDocument other = new StoredDocument("a", "other", "{}");
			try (VectorWrite written = storage.writeVectors(new int[] { 1 }, List.of(new float[] { 2, 2 }))) {
				assertThat(storage.add(Map.of(other, 1), written, () -> {
				})).containsExactly(0);
			}
			assertThat(storage.size()).isEqualTo(1);
			assertThat(storage.document(0)).isEqualTo(FIRST);
			assertThat(storage.document(1)).isEqualTo(other);
			storage.release(0);
			assertThat(storage.document(0)).isNull();
		}
	}

	@Test
	void documentsAreCommittedOnceTheirVectorsAreWritten() {
		Thread adding = Thread.currentThread();
		AtomicBoolean isWritten = new AtomicBoolean();
		try (DocumentStorage storage = open(); VectorWrite write = new VectorWrite(Map.of(0, 0), () -> {
			await().until(() -> adding.getState() == Thread.State.WAITING);
			isWritten.set(true);
		})) {
			storage.add(Map.of(FIRST, 0), write, () -> {
			});
			assertThat(isWritten).isTrue();
		}
	}

	@Test
	void documentsWhoseVectorsCannotBeWrittenChangeNothing() {
		StoredDocument other = new StoredDocument("a", "other", "{}");
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 2);
			try (VectorWrite write = new VectorWrite(Map.of(1, 0), () -> {
				throw new StorageException("1 vectors could not be written.", "Make room.", null);
			})) {
				assertThatExceptionOfType(StorageException.class)
					.isThrownBy(() -> storage.add(Map.of(other, 1), write, () -> {
					}))
					.withMessageContaining("could not be written");
			}
			assertThat(storage.document(0)).isEqualTo(FIRST);
			assertThat(storage.document(1)).isNull();
			assertThat(storage.rowOf("a")).isZero();
		}
		try (DocumentStorage storage = open()) {
			assertThat(contents(storage)).containsExactly("0 a 1.0 2.0");
		}
	}

	@Test
	void aChangeThatMayNotBeOnTheDiskIsTheLast() throws IOException {
		MVStore store = spy(MVStore.open(null));
		willThrow(new MVStoreException(DataUtils.ERROR_WRITING_FAILED, "No disk")).given(store).sync();
		try (DocumentStorage storage = new DocumentStorage(new DocumentFile("memory", () -> store),
				VectorFile.temporary(2))) {
			assertThatExceptionOfType(StorageException.class).isThrownBy(() -> add(storage, FIRST, 0, 1, 2))
				.withMessageContaining("It is not known whether the last change is on the disk.");
			then(store).should(never()).rollback();
			then(store).should().closeImmediately();
		}
	}

	@Test
	void findsTheRowsOfDocumentsByTheirIds() {
		StoredDocument other = new StoredDocument("a", "other", "{}");
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 1);
			add(storage, SECOND, 1, 2, 2);
			add(storage, other, 2, 3, 3);
			storage.remove(List.of("b", "b"));
			assertThat(storage.rowOf("a")).isEqualTo(2);
			assertThat(storage.rowOf("b")).isNull();
		}
		try (DocumentStorage storage = open()) {
			assertThat(storage.rows()).containsExactly(2);
			assertThat(storage.rowOf("a")).isEqualTo(2);
			assertThat(storage.rowOf("b")).isNull();
			assertThat(storage.vector("a")).containsExactly(3, 3);
		}
	}

	@Test
	void removesKnownDocumentsAndIgnoresOthers() {
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 1);
			assertThat(storage.remove(List.of("a", "unknown"))).containsExactly(0);
			assertThat(storage.size()).isZero();
		}
		try (DocumentStorage storage = open()) {
			assertThat(contents(storage)).isEmpty();
		}
	}

	@Test
	void givesBackTheSpaceOfRemovedDocuments() throws IOException {
		Random random = new Random(3);
		List<String> ids = IntStream.range(0, 400).mapToObj((row) -> "id" + row).toList();
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 2);
			for (int row = 1; row < ids.size(); row++) {
				byte[] text = new byte[20_000];
				random.nextBytes(text);
				add(storage, new StoredDocument(ids.get(row), new String(text, StandardCharsets.ISO_8859_1), "{}"), row,
						3, 4);
			}
			storage.remove(ids);
		}
		assertThat(Files.size(documents())).isLessThan(ids.size() * 20_000 / 4);
		try (DocumentStorage storage = open()) {
			assertThat(contents(storage)).containsExactly("0 a 1.0 2.0");
			add(storage, SECOND, 1, 3, 4);
			assertThat(Files.size(this.directory.resolve("vectors.bin"))).isEqualTo(4096 + 2 * 2 * Float.BYTES);
		}
		try (DocumentStorage storage = open()) {
			assertThat(contents(storage)).containsExactly("0 a 1.0 2.0", "1 b 3.0 4.0");
		}
	}

	@Test
	void temporaryStorageReadsVectorsBack() {
		try (DocumentStorage storage = DocumentStorage.temporary(2)) {
			add(storage, FIRST, 3, 5, 6);
			assertThat(contents(storage)).containsExactly("3 a 5.0 6.0");
		}
	}

	@Test
	void readsMoreVectorsThanAreMappedAtOnce() {
		int dimensions = 1 << 14;
		int rows = 600;
		try (DocumentStorage storage = DocumentStorage.temporary(dimensions)) {
			for (int row = 0; row < rows; row++) {
				float[] vector = new float[dimensions];
				vector[dimensions - 1] = row;
				add(storage, new StoredDocument("id" + row, "", "{}"), row, vector);
			}
			List<Float> last = new ArrayList<>();
			float[] vector = new float[dimensions + 1];
			assertThat(storage.forEach(0, storage.endOfRows(), (row, document, stored) -> {
				stored.read(vector, 1);
				last.add(vector[dimensions] - row);
			})).isEqualTo(rows);
			assertThat(last).hasSize(rows).containsOnly(0f);
		}
	}

	@Test
	void saysWhichVectorIsMissing() throws Exception {
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 9, 1, 1);
		}
		try (FileChannel vectors = FileChannel.open(this.directory.resolve("vectors.bin"), StandardOpenOption.WRITE)) {
			vectors.truncate(vectors.size() - 1);
		}
		try (DocumentStorage storage = open()) {
			assertThatExceptionOfType(StorageException.class).isThrownBy(() -> contents(storage))
				.withMessageContaining("ends before the vector of row 9");
		}
	}

	@Test
	void noticesEveryFlippedBitOfAVector() throws IOException {
		Path vectors = this.directory.resolve("vectors.bin");
		try (DocumentStorage storage = open()) {
			add(storage, FIRST, 0, 1, 2);
		}
		byte[] contents = Files.readAllBytes(vectors);
		for (int bit = 0; bit < 2 * Float.SIZE; bit++) {
			byte[] flipped = contents.clone();
			flipped[4096 + bit / 8] ^= (byte) (1 << bit % 8);
			Files.write(vectors, flipped);
			try (DocumentStorage storage = open()) {
				assertThatExceptionOfType(StorageException.class).isThrownBy(() -> contents(storage))
					.withMessageContaining("is damaged");
			}
		}
	}

	@Test
	void noticesFlippedBitsOfAVectorThatIsMapped() throws IOException {
		int dimensions = 1 << 14;
		int rows = 300;
		Path vectors = this.directory.resolve("vectors.bin");
		try (DocumentStorage storage = DocumentStorage.open(this.directory, dimensions, "")) {
			int[] free = IntStream.range(0, rows).toArray();
			Map<StoredDocument, Integer> added = new HashMap<>();
			IntStream.of(free).forEach((row) -> added.put(new StoredDocument("id" + row, "", "{}"), row));
			try (VectorWrite written = storage.writeVectors(free, Collections.nCopies(rows, new float[dimensions]))) {
				storage.add(added, written, () -> {
				});
			}
		}
		for (int row : new int[] { 0, 100, 255, rows - 1 }) {
			long last = 4096 + (row + 1L) * dimensions * Float.BYTES - 1;
			flip(vectors, last);
			try (DocumentStorage storage = DocumentStorage.open(this.directory, dimensions, "")) {
				float[] vector = new float[dimensions];
				assertThatExceptionOfType(StorageException.class)
					.isThrownBy(() -> storage.forEach(0, rows, (visited, document, stored) -> stored.read(vector, 0)))
					.withMessageContaining("The vector of row %d in %s is damaged".formatted(row, vectors));
				assertThatExceptionOfType(StorageException.class).isThrownBy(() -> storage.vector("id" + row));
			}
			flip(vectors, last);
		}
	}

	private static void flip(Path file, long offset) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			ByteBuffer bits = ByteBuffer.allocate(1);
			channel.read(bits, offset);
			channel.write(bits.put(0, (byte) (bits.get(0) ^ 0x10)).rewind(), offset);
		}
	}

	private Path documents() {
		return this.directory.resolve("documents.mv");
	}

}
