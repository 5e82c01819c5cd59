package io.ringkernel.spring.ai.filter;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MetadataColumns}.
 */
class MetadataColumnsTests {

	private static final int KEYS = 300;

	private static final int DOCUMENTS = 20_000;

	private final MetadataColumns columns = new MetadataColumns();

	private List<Cell> add(int id) {
		return this.columns.add(Map.of("key" + id % KEYS, "text " + id % (7 * KEYS)));
	}

	@Test
	void areWornByStringsThatOutnumberTheDocuments() {
		IntStream.range(0, 5000).forEach((i) -> this.columns.add(Map.of("key", "text " + i)));
		assertThat(this.columns.isWornBy(5000, 2000)).as("strings of documents that are left").isFalse();
		assertThat(this.columns.isWornBy(1, 10)).isTrue();
		this.columns.clear();
		this.columns.add(Map.of("key", "text"));
		assertThat(this.columns.isWornBy(5000, 10)).isFalse();
	}

	@Test
	void areWornByKeysThatLeaveNoColumnForOthers() {
		IntStream.range(0, 256).forEach((i) -> this.columns.add(Map.of("key" + i, i)));
		assertThat(this.columns.isWornBy(1000, 1)).as("columns for all").isFalse();
		this.columns.add(Map.of("another", 1));
		assertThat(this.columns.isWornBy(1, 1)).isTrue();
		assertThat(this.columns.isWornBy(1, 1000)).as("few removals").isFalse();
	}

	@Test
	void threadsThatAddTheSameValuesHaveTheSameCells() {
		List<List<Cell>> together = IntStream.range(0, DOCUMENTS).parallel().mapToObj(this::add).toList();
		assertThat(together).isEqualTo(IntStream.range(0, DOCUMENTS).mapToObj(this::add).toList());
		assertThat(together.stream().flatMap(List::stream).map(Cell::column).distinct())
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, 256).boxed().toList());
		assertThat(together.stream().flatMap(List::stream).distinct()).as("distinct values").hasSize(256 * 7);
	}

}
