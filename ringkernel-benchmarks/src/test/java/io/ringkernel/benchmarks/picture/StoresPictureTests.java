package io.ringkernel.benchmarks.picture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class StoresPictureTests {

	@Test
	void recallIsLinearAndTimeLogarithmic() {
		// The panel is 330 wide from 0.85 to 1, and 240 high and shows four decades.
		assertThat(draw(0.925, 1_000)).contains("<polyline class=\"lucene\" points=\"165.0,180.0 330.0,120.0\"/>");
	}

	@Test
	void recallBesideTheAxisIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> draw(0.8, 1_000))
			.withMessageStartingWith("0.8 is off the axis");
	}

	@Test
	void comparisonWithoutAStoreIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> new StoresPicture().draw(new Results(Path.of("some-stores.jsonl"), List.of("{}"))))
			.withMessage("some-stores.jsonl has no line with \"store\":\"lucene\" and \"filtered\":false");
	}

	private static String draw(double recall, int micros) {
		List<String> lines = new ArrayList<>();
		for (boolean filtered : new boolean[] { false, true }) {
			lines.add(result("lucene", filtered, recall, micros));
			lines.add(result("lucene", filtered, 1, 10 * micros));
			lines.add(result("ringkernel", filtered, 1, micros));
			lines.add(result("simple", filtered, 1, micros));
		}
		return new StoresPicture().draw(new Results(Path.of("some-stores.jsonl"), lines));
	}

	private static String result(String store, boolean filtered, double recall, int micros) {
		return "{\"store\":\"%s\",\"filtered\":%b,\"recall\":%s,\"p50_us\":%d}".formatted(store, filtered, recall,
				micros);
	}

}
