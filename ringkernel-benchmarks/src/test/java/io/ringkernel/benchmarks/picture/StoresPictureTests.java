package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class StoresPictureTests {

	private static final Path REPOSITORY = Path.of("..");

	@TempDir
	Path root;

	private Path results;

	@BeforeEach
	void makeFolders() throws IOException {
		this.results = Files.createDirectories(this.root.resolve("ringkernel-benchmarks/results"));
		Files.createDirectories(this.root.resolve("docs"));
	}

	@Test
	void committedPictureIsWhatTheNewestCommittedComparisonGives() throws IOException {
		assertThat(Files.readString(REPOSITORY.resolve(StoresPicture.PICTURE)))
			.as("Run: java ringkernel-benchmarks/src/test/java/io/ringkernel/benchmarks/picture/StoresPicture.java")
			.isEqualTo(StoresPicture.draw(REPOSITORY));
	}

	@Test
	void pictureIsWrittenBelowTheRootThatIsGiven() throws IOException {
		write("2026-01-02-machine-stores", 0.925, 1_000);
		StoresPicture.main(this.root.toString());
		assertThat(this.root.resolve(StoresPicture.PICTURE)).content().isEqualTo(StoresPicture.draw(this.root));
	}

	@Test
	void recallIsLinearAndTimeLogarithmic() throws IOException {
		write("2026-01-02-machine-stores", 0.925, 1_000);
		// The panel is 330 wide from 0.85 to 1, and 240 high and shows four decades.
		assertThat(StoresPicture.draw(this.root)).contains("<polyline points=\"165.0,180.0 330.0,120.0\"/>");
	}

	@Test
	void newestComparisonIsThatOfTheLastDay() throws IOException {
		write("2026-01-02-machine-stores", 0.925, 1_000);
		write("2026-01-03-machine-stores", 0.925, 1_000);
		assertThat(StoresPicture.draw(this.root)).contains("from 2026-01-03-machine-stores.jsonl<");
	}

	@Test
	void recallBesideTheAxisIsRefused() throws IOException {
		write("2026-01-02-machine-stores", 0.8, 1_000);
		assertThatIllegalArgumentException().isThrownBy(() -> StoresPicture.draw(this.root))
			.withMessageStartingWith("0.8 is off the axis");
	}

	@Test
	void comparisonWithoutAStoreIsRefused() throws IOException {
		Files.writeString(this.results.resolve("2026-01-02-machine-stores.jsonl"), "{}\n");
		assertThatIllegalStateException().isThrownBy(() -> StoresPicture.draw(this.root))
			.withMessage("There is no 'lucene' with filtered = false");
	}

	private void write(String name, double recall, int micros) throws IOException {
		StringBuilder lines = new StringBuilder();
		for (boolean filtered : new boolean[] { false, true }) {
			lines.append(result("lucene", filtered, recall, micros));
			lines.append(result("lucene", filtered, 1, 10 * micros));
			lines.append(result("ringkernel", filtered, 1, micros));
			lines.append(result("simple", filtered, 1, micros));
		}
		Files.writeString(this.results.resolve(name + ".jsonl"), lines);
	}

	private static String result(String store, boolean filtered, double recall, int micros) {
		return "{\"store\":\"%s\",\"filtered\":%b,\"recall\":%s,\"p50_us\":%d}\n".formatted(store, filtered, recall,
				micros);
	}

}
