package io.ringkernel.models;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.ringkernel.models.ModelsResults.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From how many rows on the device is the fastest.
 */
class ModelsResultsTests {

	private static final Shape SHAPE = new Shape(1000, 8);

	@TempDir
	Path folder;

	@Test
	void crossoverIsTheLeastNumberOfRowsFromWhichTheDeviceIsAlwaysTheFastest() throws IOException {
		assertThat(lines(new int[] { 10, 30, 20, 20 }, new int[] { 20, 20, 30, 30 }))
			.endsWith("{\"measure\":\"crossover\",\"trees\":1000,\"depth\":8,\"rows\":3}");
	}

	@Test
	void deviceThatIsNotTheFastestWithMostRowsHasNoCrossover() throws IOException {
		assertThat(lines(new int[] { 10, 30 }, new int[] { 20, 20 })).noneMatch((line) -> line.contains("crossover"));
	}

	@Test
	void otherShapesDoNotCount() throws IOException {
		Path file = this.folder.resolve("models.jsonl");
		try (ModelsResults results = results(file)) {
			results.add(SHAPE, "device", 0, 1, new long[] { 10 });
			results.add(new Shape(100, 6), "cpu", 0, 1, new long[] { 5 });
			results.addCrossover(SHAPE);
		}
		assertThat(Files.readAllLines(file)).last().asString().contains("\"rows\":1}");
	}

	@Test
	void timeIsTheMedian() throws IOException {
		Path file = this.folder.resolve("models.jsonl");
		try (ModelsResults results = results(file)) {
			results.add(SHAPE, "xgboost", 1, 16, new long[] { 10, 20, 40 });
		}
		assertThat(file).content()
			.isEqualToIgnoringNewLines(
					"{\"measure\":\"score\",\"trees\":1000,\"depth\":8,\"by\":\"xgboost\",\"threads\":\"1\",\"rows\":16,\"unit\":\"ns\",\"p50\":20,\"p99\":40,\"min\":10,\"samples\":3}");
	}

	private static ModelsResults results(Path file) throws IOException {
		return new ModelsResults(file, new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
	}

	private List<String> lines(int[] device, int[] library) throws IOException {
		Path file = this.folder.resolve("models.jsonl");
		try (ModelsResults results = results(file)) {
			for (int i = 0; i < device.length; i++) {
				results.add(SHAPE, "device", 0, i + 1, new long[] { device[i] });
				results.add(SHAPE, "xgboost", 0, i + 1, new long[] { 100 });
				results.add(SHAPE, "xgboost", 1, i + 1, new long[] { library[i] });
			}
			results.addCrossover(SHAPE);
		}
		return Files.readAllLines(file);
	}

}
