package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class PicturesTests {

	private static final Path REPOSITORY = Path.of("..");

	@TempDir
	Path root;

	private Path results;

	@BeforeEach
	void makeFolders() throws IOException {
		this.results = Files.createDirectories(this.root.resolve("ringkernel-benchmarks/results"));
		Files.createDirectories(this.root.resolve("docs"));
	}

	static List<Picture> pictures() {
		return Pictures.ALL;
	}

	@ParameterizedTest
	@MethodSource("pictures")
	void committedPictureIsWhatTheNewestCommittedResultsGive(Picture picture) throws IOException {
		Path file = REPOSITORY.resolve(picture.file());
		assertThat(Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty())
			.as("Run: ringkernel-benchmarks/draw.sh")
			.isEqualTo(Pictures.draw(REPOSITORY, picture));
	}

	@Test
	void picturesOfWhichThereAreResultsAreWrittenBelowTheRootThatIsGiven() throws IOException {
		Files.copy(REPOSITORY.resolve("ringkernel-benchmarks/results/2026-11-23-two-cores-stores.jsonl"),
				this.results.resolve("2026-01-02-machine-stores.jsonl"));
		Pictures.main(this.root.toString());
		assertThat(this.root.resolve("docs/stores-by-recall.svg")).content()
			.isEqualTo(Pictures.draw(this.root, new StoresPicture()).orElseThrow());
		assertThat(this.root.resolve("docs/latency-by-size.svg")).doesNotExist();
	}

	@Test
	void newestResultsAreThoseOfTheLastRunOfTheLastDay() throws IOException {
		for (String name : List.of("2026-01-01-device-curve.3", "2026-01-02-device-curve", "2026-01-02-device-curve.2",
				"2026-01-02-device-curve.10", "2026-01-02-device-curve-floor", "2026-01-03-device-stores")) {
			Files.writeString(this.results.resolve(name + ".jsonl"), "{}\n");
		}
		assertThat(Results.newest(this.root, "curve")).map(Results::name).contains("2026-01-02-device-curve.10.jsonl");
	}

}
