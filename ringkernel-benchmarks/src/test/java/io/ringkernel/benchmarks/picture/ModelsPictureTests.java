package io.ringkernel.benchmarks.picture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ModelsPictureTests {

	private final List<String> lines = new ArrayList<>();

	@Test
	void thereIsAPanelForEachShape() {
		add(100, 6);
		add(1000, 8);
		assertThat(draw()).containsSubsequence(">100 trees of depth 6<", ">1000 trees of depth 8<");
	}

	@Test
	void axisEndsWithTheDecadesThatWereMeasured() {
		add(100, 6);
		// The panel is 270 wide and shows 16 doublings, and 240 high and shows the three
		// decades from 10 microseconds up.
		assertThat(draw()).contains("<polyline class=\"cpu\" points=\"0.0,240.0 270.0,0.0\"/>")
			.contains("<polyline class=\"device\" points=\"0.0,160.0 270.0,80.0\"/>")
			.contains(">10 µs<", ">10 ms<")
			.doesNotContain(">1 µs<", ">100 ms<");
	}

	@Test
	void libraryHasTheThreadsThatAreBest() {
		add(100, 6);
		addScore(100, 6, "xgboost", "1", 1, 100_000);
		assertThat(draw()).contains("<polyline class=\"xgboost\" points=\"0.0,160.0 270.0,0.0\"/>")
			.contains("<polyline class=\"lightgbm\" points=\"0.0,80.0 270.0,0.0\"/>");
	}

	@Test
	void markShowsFromWhereOnTheDeviceIsTheFastest() {
		add(100, 6);
		add(1000, 8);
		this.lines.add("{\"measure\":\"crossover\",\"trees\":1000,\"depth\":8,\"rows\":65536}");
		assertThat(draw().split(">1000 trees of depth 8<")).satisfiesExactly(
				(before) -> assertThat(before).doesNotContain("cx=\"270.0\""),
				(panel) -> assertThat(panel).contains("<circle class=\"device\" cx=\"270.0\" cy=\"80.0\" r=\"5\"/>"));
	}

	@Test
	void shapeThatTheDeviceHasNotScoredIsRefused() {
		addScore(100, 6, "cpu", "all", 1, 10_000);
		assertThatIllegalStateException().isThrownBy(this::draw)
			.withMessage(
					"some-models.jsonl has no line with \"measure\":\"score\" and \"trees\":100,\"depth\":6 and \"by\":\"device\"");
	}

	private String draw() {
		return new ModelsPicture().draw(new Results(Path.of("some-models.jsonl"), this.lines));
	}

	private void add(int trees, int depth) {
		addScore(trees, depth, "device", "all", 1, 100_000);
		addScore(trees, depth, "device", "all", 65_536, 1_000_000);
		addScore(trees, depth, "cpu", "all", 1, 10_000);
		addScore(trees, depth, "cpu", "all", 65_536, 10_000_000);
		for (String library : List.of("xgboost", "lightgbm")) {
			addScore(trees, depth, library, "all", 1, 1_000_000);
			addScore(trees, depth, library, "all", 65_536, 10_000_000);
		}
	}

	private void addScore(int trees, int depth, String by, String threads, int rows, int nanos) {
		this.lines.add(
				"{\"measure\":\"score\",\"trees\":%d,\"depth\":%d,\"by\":\"%s\",\"threads\":\"%s\",\"rows\":%d,\"unit\":\"ns\",\"p50\":%d}"
					.formatted(trees, depth, by, threads, rows, nanos));
	}

}
