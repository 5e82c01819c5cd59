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

	@TempDir
	Path root;

	private Path curve;

	@BeforeEach
	void makeFolder() throws IOException {
		this.curve = Files.createDirectories(this.root.resolve("ringkernel-benchmarks/results"))
			.resolve("2026-01-02-device-curve.jsonl");
	}

	@Test
	void tenTimesTheBytesOrTheTimeAreTheSameDistanceEverywhere() throws IOException {
		write(10_000, 1_000_000);
		// The panel is 240 high and shows five decades from 1 microsecond up, and 270
		// wide and shows 20 doublings.
		assertThat(draw()).contains("<polyline class=\"call\" points=\"0.0,192.0 270.0,192.0\"/>")
			.contains("<polyline class=\"usual-way\" points=\"0.0,96.0 270.0,96.0\"/>");
	}

	@Test
	void floorIsThatOfTheSameRun() throws IOException {
		write(2_000, 20_000);
		Files.writeString(this.curve.resolveSibling("2026-01-03-device-curve-floor.jsonl"), "{}\n");
		assertThat(draw()).contains("<line class=\"line floor\" x1=\"0\" y1=\"192.0\" x2=\"270\" y2=\"192.0\"/>");
	}

	@Test
	void latencyBesideTheAxisIsRefused() throws IOException {
		write(999, 20_000);
		assertThatIllegalArgumentException().isThrownBy(this::draw).withMessageStartingWith("999.0 is off the axis");
	}

	@Test
	void curveWithoutOneOfItsPartsIsRefused() throws IOException {
		write(2_000, 20_000);
		Files.write(this.curve,
				Files.readAllLines(this.curve).stream().filter((line) -> !line.contains("\"both\"")).toList());
		assertThatIllegalStateException().isThrownBy(this::draw)
			.withMessage(
					"2026-01-02-device-curve.jsonl has no line with \"measure\":\"usual-way\" and \"direction\":\"both\"");
	}

	private String draw() throws IOException {
		return Pictures.draw(this.root, new CurvePicture()).orElseThrow();
	}

	private void write(int call, int usualWay) throws IOException {
		StringBuilder lines = new StringBuilder();
		for (String direction : List.of("in", "out", "both")) {
			for (int bytes : new int[] { 16, 16 << 20 }) {
				lines.append(result("call", direction, bytes, call));
				lines.append(result("usual-way", direction, bytes, usualWay));
			}
		}
		Files.writeString(this.curve, lines);
		Files.writeString(this.curve.resolveSibling("2026-01-02-device-curve-floor.jsonl"),
				"{\"name\":\"flag ping-pong (floor)\",\"p50_ns\":10000}\n");
	}

	private static String result(String measure, String direction, int bytes, int nanos) {
		return "{\"measure\":\"%s\",\"direction\":\"%s\",\"bytes\":%d,\"unit\":\"ns\",\"p50\":%d}\n".formatted(measure,
				direction, bytes, nanos);
	}

}
