package io.ringkernel.spring.ai.storage;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DocumentStorage}: Java closes a file for all threads if one that uses
 * it is interrupted.
 */
class InterruptedStorageTests {

	/** More than MVStore keeps in memory. */
	private static final int ROWS = 3000;

	private static final String TEXT = "text ".repeat(2000);

	@TempDir
	private Path directory;

	private DocumentStorage storage;

	@BeforeEach
	void open() {
		this.storage = DocumentStorage.open(this.directory, 2, "");
		add(IntStream.range(0, ROWS).toArray());
	}

	@AfterEach
	void close() {
		Thread.interrupted();
		this.storage.close();
	}

	private void add(int... rows) {
		List<float[]> vectors = IntStream.of(rows).mapToObj((row) -> new float[] { row, 1 }).toList();
		Map<StoredDocument, Integer> documents = new LinkedHashMap<>();
		IntStream.of(rows).forEach((row) -> documents.put(new StoredDocument("id" + row, TEXT, "{}"), row));
		try (VectorWrite written = this.storage.writeVectors(rows, vectors)) {
			this.storage.add(documents, written, () -> {
			});
		}
	}

	private void read(int row) {
		assertThat(this.storage.document(row)).isEqualTo(new StoredDocument("id" + row, TEXT, "{}"));
		assertThat(this.storage.vectors(row)).containsExactly(row, 1);
	}

	@Test
	void threadThatIsInterruptedReadsAndStaysInterrupted() {
		Thread.currentThread().interrupt();
		IntStream.range(0, ROWS).forEach(this::read);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void threadThatIsInterruptedChangesAndCopies() {
		Thread.currentThread().interrupt();
		add(ROWS);
		this.storage.remove(List.of("id1"));
		assertThat(this.storage.size()).isEqualTo(ROWS);
		Path copy = this.directory.resolve("copy");
		try (StorageSnapshot snapshot = this.storage.snapshot(() -> {
		})) {
			snapshot.copyTo(copy);
		}
		assertThat(Thread.interrupted()).isTrue();
		try (DocumentStorage copied = DocumentStorage.open(copy, 2, "")) {
			assertThat(copied.size()).isEqualTo(ROWS);
			assertThat(copied.vector("id" + ROWS)).containsExactly(ROWS, 1);
		}
	}

	@Test
	void othersReadAndChangeWhileThreadsAreInterrupted() {
		AtomicBoolean ended = new AtomicBoolean();
		List<CompletableFuture<Void>> readers = IntStream.range(0, 3)
			.mapToObj((seed) -> CompletableFuture.runAsync(() -> readAtRandom(seed, ended), (task) -> {
				Thread thread = new Thread(task);
				thread.start();
				CompletableFuture.runAsync(() -> interruptAgainAndAgain(thread, ended));
			}))
			.toList();
		for (int row = ROWS; row < ROWS + 50; row++) {
			add(row);
			read(row);
		}
		ended.set(true);
		readers.forEach(CompletableFuture::join);
		IntStream.range(0, ROWS + 50).forEach(this::read);
		this.storage.close();
		this.storage = DocumentStorage.open(this.directory, 2, "");
		IntStream.range(0, ROWS + 50).forEach(this::read);
	}

	private void readAtRandom(int seed, AtomicBoolean ended) {
		Random random = new Random(seed);
		while (!ended.get()) {
			read(random.nextInt(ROWS));
			if (random.nextInt(8) == 0) {
				Thread.interrupted();
			}
		}
	}

	private static void interruptAgainAndAgain(Thread thread, AtomicBoolean ended) {
		while (!ended.get()) {
			thread.interrupt();
			Thread.yield();
		}
	}

	@Test
	void staysLockedAfterAnInterrupt() {
		AtomicBoolean ended = new AtomicBoolean();
		Thread reader = new Thread(() -> IntStream.range(0, ROWS).forEach(this::read));
		reader.start();
		CompletableFuture<Void> interrupts = CompletableFuture.runAsync(() -> interruptAgainAndAgain(reader, ended));
		assertThat(reader).satisfies((thread) -> thread.join(60_000));
		ended.set(true);
		interrupts.join();
		assertThatExceptionOfType(StorageException.class)
			.isThrownBy(() -> DocumentFile.open(this.directory.resolve("documents.mv").toString()))
			.withMessageContaining("documents.mv is in use by another store");
		read(0);
	}

	@Test
	void temporaryVectorsOutliveAnInterrupt() {
		try (DocumentStorage temporary = DocumentStorage.temporary(2)) {
			this.storage.close();
			this.storage = temporary;
			add(0, 1, 2);
			threadThatIsInterruptedReads(temporary);
			assertThat(temporary.vectors(2)).containsExactly(2, 1);
		}
	}

	private static void threadThatIsInterruptedReads(DocumentStorage storage) {
		AtomicBoolean ended = new AtomicBoolean();
		Thread reader = Thread.currentThread();
		CompletableFuture<Void> interrupts = CompletableFuture.runAsync(() -> interruptAgainAndAgain(reader, ended));
		for (int i = 0; i < 20_000; i++) {
			assertThat(storage.vectors(1)).containsExactly(1, 1);
		}
		ended.set(true);
		while (!interrupts.isDone()) {
			Thread.onSpinWait();
		}
		assertThat(Thread.interrupted()).isTrue();
	}

}
