package io.ringkernel.spring.ai.index;

import java.util.stream.LongStream;

import io.ringkernel.spring.ai.index.SearchTimes.Search;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SearchTimes}.
 */
class SearchTimesTests {

	private final SearchTimes times = new SearchTimes();

	@Test
	void addsUpAllSearchesAndKeepsTheLastOnes() {
		LongStream.rangeClosed(1, 200).forEach((i) -> this.times.record(i, 10));
		assertThat(this.times.count()).isEqualTo(200);
		assertThat(this.times.totalNanos()).isEqualTo(200 * 201 / 2);
		assertThat(this.times.totalBytes()).isEqualTo(2000);
		assertThat(this.times.recent()).hasSize(128)
			.extracting(Search::nanos)
			.containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(73, 200).boxed().toList());
	}

	@Test
	void hasNoLastSearchesBeforeTheFirst() {
		assertThat(this.times.recent()).isEmpty();
	}

}
