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
import io.ringkernel.spring.ai.storage.StoredDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests of what is stored after a process was killed while it wrote.
 */
class KilledProcessTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

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
		killRepeatedly(Integer.getInteger("killed-process.rounds", 20));
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
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
				"-cp", System.getProperty("java.class.path"), WritingProcess.class.getName(), this.directory.toString(),
				String.valueOf(first))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
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

	/**
	 * Reads what is stored.
	 * @return the last batch
	 */
	private int requireWholeBatches() {
		TreeMap<Integer, Integer> sizes = new TreeMap<>();
		Map<String, String> latest = new TreeMap<>();
		try (DocumentStorage storage = DocumentStorage.open(this.directory, WritingProcess.DIMENSIONS)) {
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
