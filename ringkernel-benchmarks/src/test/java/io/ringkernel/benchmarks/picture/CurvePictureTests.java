package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class CurvePictureTests {

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
	void committedPictureIsWhatTheNewestCommittedCurveGives() throws IOException {
		assertThat(Files.readString(REPOSITORY.resolve(CurvePicture.PICTURE)))
			.as("Run: java ringkernel-benchmarks/src/test/java/io/ringkernel/benchmarks/picture/CurvePicture.java")
			.isEqualTo(CurvePicture.draw(REPOSITORY));
	}

	@Test
	void pictureIsWrittenBelowTheRootThatIsGiven() throws IOException {
		write("2026-01-02-device-curve", 2_000, 20_000);
		CurvePicture.main(this.root.toString());
		assertThat(this.root.resolve(CurvePicture.PICTURE)).content().isEqualTo(CurvePicture.draw(this.root));
	}

	@Test
	void tenTimesTheBytesOrTheTimeAreTheSameDistanceEverywhere() throws IOException {
		write("2026-01-02-device-curve", 10_000, 1_000_000);
		// The panel is 240 high and shows five decades from 1 microsecond up, and 270
		// wide and shows 20 doublings.
		assertThat(CurvePicture.draw(this.root)).contains("<polyline class=\"call\" points=\"0.0,192.0 270.0,192.0\"/>")
			.contains("<polyline class=\"usual-way\" points=\"0.0,96.0 270.0,96.0\"/>");
	}

	@Test
	void newestCurveIsTheLastRunOfTheLastDay() throws IOException {
		write("2026-01-01-device-curve.3", 2_000, 20_000);
		write("2026-01-02-device-curve", 2_000, 20_000);
		write("2026-01-02-device-curve.2", 2_000, 20_000);
		write("2026-01-02-device-curve.10", 2_000, 20_000);
		assertThat(CurvePicture.draw(this.root)).contains("from 2026-01-02-device-curve.10.jsonl<");
	}

	@Test
	void latencyBesideTheAxisIsRefused() throws IOException {
		write("2026-01-02-device-curve", 999, 20_000);
		assertThatIllegalArgumentException().isThrownBy(() -> CurvePicture.draw(this.root))
			.withMessageStartingWith("999.0 is off the axis");
	}

	@Test
	void curveWithoutOneOfItsPartsIsRefused() throws IOException {
		write("2026-01-02-device-curve", 2_000, 20_000);
		Path curve = this.results.resolve("2026-01-02-device-curve.jsonl");
		Files.write(curve, Files.readAllLines(curve).stream().filter((line) -> !line.contains("\"both\"")).toList());
		assertThatIllegalStateException().isThrownBy(() -> CurvePicture.draw(this.root))
			.withMessage("There is no 'usual-way' of 'both'");
	}

	private void write(String name, int call, int usualWay) throws IOException {
		StringBuilder lines = new StringBuilder();
		for (String direction : List.of("in", "out", "both")) {
			for (int bytes : new int[] { 16, 16 << 20 }) {
				lines.append(result("call", direction, bytes, call));
				lines.append(result("usual-way", direction, bytes, usualWay));
			}
		}
		Files.writeString(this.results.resolve(name + ".jsonl"), lines);
		Files.writeString(this.results.resolve(name.replace("-curve", "-curve-floor") + ".jsonl"),
				"{\"name\":\"flag ping-pong (floor)\",\"p50_ns\":1500}\n");
	}

	private static String result(String measure, String direction, int bytes, int nanos) {
		return "{\"measure\":\"%s\",\"direction\":\"%s\",\"bytes\":%d,\"unit\":\"ns\",\"p50\":%d}\n".formatted(measure,
				direction, bytes, nanos);
	}

}
