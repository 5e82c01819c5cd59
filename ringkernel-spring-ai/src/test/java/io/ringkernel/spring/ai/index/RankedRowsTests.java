package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

import io.ringkernel.spring.ai.search.FilterProgram;
import io.ringkernel.spring.ai.search.RankedRow;
import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RankedRows}.
 */
class RankedRowsTests {

	private static final int ROWS = 20_000;

	private static final int ROWS_PER_BLOCK = 64;

	private final Random random = new Random(5);

	/** How many passes over the rows all requests take together. */
	private double passes;

	private boolean isLost;

	private List<RankedRow> rows(IntToDoubleFunction similarity) {
		return IntStream.range(0, ROWS)
			.mapToObj((row) -> new RankedRow(row, (float) similarity.applyAsDouble(row)))
			.toList();
	}

	private RankedRows ranked(List<RankedRow> rows, int wanted) {
		VectorSearchRequest query = VectorSearchRequest.query(1, 1, new float[1], FilterProgram.EVERYTHING, 128,
				Float.POSITIVE_INFINITY, -1);
		return new RankedRows((queries) -> queries.stream().map((part) -> answer(rows, part)).toList(), query, wanted);
	}

	private VectorSearchResponse answer(List<RankedRow> rows, VectorSearchRequest query) {
		this.passes += 1.0 / query.shards();
		if (this.isLost) {
			return VectorSearchResponse.of(SearchOutcome.STALE);
		}
		RankedRow after = new RankedRow(query.afterRow(), query.afterSimilarity());
		List<RankedRow> found = rows.stream()
			.filter((row) -> row.row() / ROWS_PER_BLOCK % query.shards() == query.shard())
			.filter((row) -> row.compareTo(after) > 0)
			.sorted()
			.limit(query.limit())
			.toList();
		float[] similarities = new float[found.size()];
		IntStream.range(0, similarities.length).forEach((i) -> similarities[i] = found.get(i).similarity());
		return new VectorSearchResponse(SearchOutcome.DONE, found.stream().mapToInt(RankedRow::row).toArray(),
				similarities);
	}

	private static List<RankedRow> take(RankedRows ranked, int limit) {
		List<RankedRow> taken = new ArrayList<>();
		for (RankedRow next = ranked.next(); next != null && taken.size() < limit; next = ranked.next()) {
			taken.add(next);
		}
		return taken;
	}

	@Test
	void allRowsTakeAboutOnePass() {
		List<RankedRow> rows = rows((row) -> this.random.nextInt(100));
		assertThat(take(ranked(rows, ROWS), ROWS)).isEqualTo(rows.stream().sorted().toList());
		assertThat(this.passes).isLessThan(1.5);
	}

	@Test
	void someRowsTakeAboutOnePass() {
		List<RankedRow> rows = rows((row) -> this.random.nextFloat());
		assertThat(take(ranked(rows, 2000), 2000)).isEqualTo(rows.stream().sorted().limit(2000).toList());
		assertThat(this.passes).isLessThan(1.5);
	}

	@Test
	void rowsThatAreAllInOnePartTakeTwoPassesAtMost() {
		int parts = 2000 / 64;
		List<RankedRow> rows = rows((row) -> (row / ROWS_PER_BLOCK % parts == 3) ? 1 : 0);
		assertThat(take(ranked(rows, 2000), 2000)).isEqualTo(rows.stream().sorted().limit(2000).toList());
		assertThat(this.passes).isLessThan(2);
	}

	@Test
	void zeroHasNoSign() {
		List<RankedRow> rows = rows((row) -> (row % 2 == 0) ? 0.0 : -0.0);
		assertThat(take(ranked(rows, 300), 300)).extracting(RankedRow::row)
			.isEqualTo(IntStream.range(0, 300).boxed().toList());
	}

	@Test
	void saysThatTheKernelHasLostItsIndex() {
		RankedRows ranked = ranked(rows((row) -> row), 200);
		this.isLost = true;
		assertThat(take(ranked, ROWS)).hasSizeLessThan(ROWS);
		assertThat(ranked.isStale()).isTrue();
	}

}
