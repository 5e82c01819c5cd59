package io.ringkernel.spring.ai.index;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.ringkernel.spring.ai.filter.MetadataJson;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import io.ringkernel.spring.ai.storage.StorageException;
import io.ringkernel.spring.ai.storage.StoredDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests of a directory that several processes open: what is stored after one was killed
 * while it wrote, and which one is refused.
 */
class KilledProcessTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** A cleaner closes files some time after one. */
	private static final int COLLECTIONS = 10;

	@TempDir
	private Path directory;

	@Test
	void losesNothingThatAddReturnedFromAndKeepsNoHalfOfABatch() throws Exception {
		killRepeatedly(2);
	}

	/**
	 * A round takes two seconds; {@code -Dkilled-process.rounds=100} is a run by hand.
	 */
	@Test
	@Tag("every-platform")
	void losesNothingInManyRounds() throws Exception {
		killRepeatedly(Integer.getInteger("killed-process.rounds", 6));
	}

	private void killRepeatedly(int rounds) throws Exception {
		int next = 0;
		for (int round = 0; round < rounds; round++) {
			int first = next;
			int batches = 1 + round % 7;
			int acknowledged = assertTimeoutPreemptively(PATIENCE, () -> writeAndKill(first, batches));
			int stored = requireWholeBatches();
			assertThat(stored).isBetween(acknowledged, acknowledged + 1);
			next = stored + 1;
		}
	}

	/**
	 * Kills a process in the midst of its work.
	 * @return the last batch that it said was stored
	 */
	private int writeAndKill(int first, int batches) throws IOException, InterruptedException {
		Process process = process(first).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		int last = -1;
		try (BufferedReader output = process.inputReader()) {
			for (int batch = 0; batch < batches; batch++) {
				last = Integer.parseInt(output.readLine());
			}
			// By its handle: the process itself would close its output.
			process.toHandle().destroyForcibly();
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				last = Integer.parseInt(line);
			}
		}
		finally {
			process.destroyForcibly();
			assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		return last;
	}

	private ProcessBuilder process(int first) {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
				"-cp", System.getProperty("java.class.path"), WritingProcess.class.getName(), this.directory.toString(),
				String.valueOf(first));
	}

	@Test
	void processIsRefusedAfterAnotherStoreOfThisOneWas() throws Exception {
		try (DocumentStorage storage = open()) {
			assertThatExceptionOfType(StorageException.class).isThrownBy(this::open)
				.withMessageContaining("documents.mv is in use");
			// What was opened in vain is closed, and on Linux the locks of the process
			// with it.
			for (int i = 0; i < COLLECTIONS; i++) {
				System.gc();
			}
			Process process = process(0).redirectErrorStream(true).start();
			try {
				String output = assertTimeoutPreemptively(PATIENCE, () -> untilItWrites(process));
				assertThat(output).contains("documents.mv is in use by another store");
			}
			finally {
				process.destroyForcibly();
			}
			assertThat(storage.size()).isZero();
		}
	}

	private static String untilItWrites(Process process) throws IOException {
		StringBuilder output = new StringBuilder();
		try (BufferedReader lines = process.inputReader()) {
			for (String line = lines.readLine(); line != null && !line.equals("0"); line = lines.readLine()) {
				output.append(line).append('\n');
			}
		}
		return output.toString();
	}

	private DocumentStorage open() {
		return DocumentStorage.open(this.directory, WritingProcess.DIMENSIONS, "");
	}

	/**
	 * Reads what is stored.
	 * @return the last batch
	 */
	private int requireWholeBatches() {
		TreeMap<Integer, Integer> sizes = new TreeMap<>();
		Map<String, String> latest = new TreeMap<>();
		try (DocumentStorage storage = open()) {
			storage.forEach(0, storage.endOfRows(), (row, document, vector) -> {
				assertThat(storage.rowOf(document.id())).isEqualTo(row);
				assertThat(storage.vectors(row)).isEqualTo(WritingProcess.vector(seed(document)));
				if (document.id().equals(WritingProcess.LATEST)) {
					latest.put(document.id(), document.text());
				}
				else {
					sizes.merge((Integer) MetadataJson.read(document.metadata()).get("batch"), 1, Integer::sum);
				}
			});
		}
		int last = sizes.lastKey();
		sizes.forEach((batch, size) -> assertThat(size).isEqualTo(WritingProcess.size(batch)));
		assertThat(latest).containsEntry(WritingProcess.LATEST, String.valueOf(last));
		// The oldest one may not have been removed yet, once a process.
		assertThat(sizes.tailMap(last - WritingProcess.KEPT_BATCHES + 1).keySet())
			.hasSize(Math.min(last + 1, WritingProcess.KEPT_BATCHES));
		return last;
	}

	private static String seed(StoredDocument document) {
		boolean isLatest = document.id().equals(WritingProcess.LATEST);
		return isLatest ? WritingProcess.LATEST + document.text() : document.id();
	}

}
