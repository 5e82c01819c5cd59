package io.ringkernel.sample.search.index;

import java.util.List;

import io.ringkernel.sample.search.corpus.Category;
import io.ringkernel.sample.search.corpus.Passage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlainSearch}.
 */
class PlainSearchTests {

	private static final int MORE_THAN_FIT_AT_FIRST = 3000;

	private final PlainSearch search = new PlainSearch();

	private void add(String id, Category category, float... vector) {
		this.search.add(new Passage(id, List.of(id), category, id), vector);
	}

	@Test
	void findsTheNearestFirst() {
		add("far", Category.FOOD, 0, 1);
		add("near", Category.FOOD, 1, 0);
		add("between", Category.FOOD, 0.8f, 0.6f);
		assertThat(this.search.search(new float[] { 1, 0 }, null, 2)).containsExactly("near", "between");
	}

	@Test
	void findsPassagesOfACategory() {
		add("near", Category.FOOD, 1, 0);
		add("far", Category.PLANT, 0, 1);
		assertThat(this.search.search(new float[] { 1, 0 }, Category.PLANT, 2)).containsExactly("far");
	}

	@Test
	void growsAsPassagesAreAdded() {
		for (int i = 0; i < MORE_THAN_FIT_AT_FIRST; i++) {
			add(String.valueOf(i), Category.TIME, i, 0);
		}
		assertThat(this.search.search(new float[] { 1, 0 }, null, 2)).containsExactly("2999", "2998");
		assertThat(this.search.search(new float[] { -1, 0 }, null, 1)).containsExactly("0");
	}

	@Test
	void findsNothingWhenThereIsNothing() {
		assertThat(this.search.search(new float[] { 1, 0 }, null, 2)).isEmpty();
	}

}
