package io.ringkernel.spring.ai.search;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MostSimilar}.
 */
class MostSimilarTests {

	/** Few values, so that many are equal. */
	private final float[] similarities = similarities();

	private static float[] similarities() {
		Random random = new Random(7);
		float[] values = new float[500];
		for (int i = 0; i < values.length; i++) {
			values[i] = (random.nextInt(10) == 0) ? Float.NEGATIVE_INFINITY : random.nextInt(20) - 10;
		}
		return values;
	}

	private List<Integer> inOrder() {
		return IntStream.range(0, this.similarities.length)
			.boxed()
			.sorted(Comparator.comparing((Integer row) -> this.similarities[row])
				.reversed()
				.thenComparing(Comparator.naturalOrder()))
			.toList();
	}

	private VectorSearchResponse find(int limit, float afterSimilarity, int afterRow) {
		MostSimilar found = new MostSimilar(limit, afterSimilarity, afterRow);
		for (int i = 0; i < this.similarities.length; i++) {
			int row = i * 211 % this.similarities.length;
			found.offer(row, this.similarities[row]);
		}
		return found.drain();
	}

	@Test
	void keepsTheMostSimilarWithTheSmallerRowFirst() {
		VectorSearchResponse found = find(40, Float.POSITIVE_INFINITY, -1);
		assertThat(found.rows()).containsExactly(inOrder().subList(0, 40).toArray(Integer[]::new));
		assertThat(found.similarities()[39]).isEqualTo(this.similarities[found.rows()[39]]);
	}

	@Test
	void pagesMeetWithoutGapOrOverlap() {
		float similarity = Float.POSITIVE_INFINITY;
		int row = -1;
		List<Integer> expected = inOrder();
		for (int from = 0; from < expected.size(); from += 30) {
			VectorSearchResponse page = find(30, similarity, row);
			assertThat(page.rows())
				.containsExactly(expected.subList(from, Math.min(from + 30, expected.size())).toArray(Integer[]::new));
			row = page.rows()[page.rows().length - 1];
			similarity = this.similarities[row];
		}
		assertThat(find(30, similarity, row).rows()).isEmpty();
	}

}
