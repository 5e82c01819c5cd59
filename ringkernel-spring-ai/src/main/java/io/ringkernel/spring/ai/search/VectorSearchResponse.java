package io.ringkernel.spring.ai.search;

import java.util.List;

import io.ringkernel.Capacity;

/**
 * One response of the kernel.
 *
 * @param outcome how the operation ended
 * @param rows the rows that were found: of a query the most similar first, of a selection
 * in ascending order
 * @param similarities the similarity of each row of a query; otherwise empty
 * @since 0.2.0
 */
public record VectorSearchResponse(SearchOutcome outcome, @Capacity(VectorSearchRequest.MAX_RESULTS) int[] rows,
		@Capacity(VectorSearchRequest.MAX_RESULTS) float[] similarities) {

	private static final int[] NO_ROWS = {};

	private static final float[] NO_SIMILARITIES = {};

	static final VectorSearchResponse DONE = of(SearchOutcome.DONE);

	/**
	 * A response without rows.
	 * @param outcome how the operation ended
	 * @return the response
	 */
	public static VectorSearchResponse of(SearchOutcome outcome) {
		return new VectorSearchResponse(outcome, NO_ROWS, NO_SIMILARITIES);
	}

	static VectorSearchResponse of(int[] rows) {
		return new VectorSearchResponse(SearchOutcome.DONE, rows, NO_SIMILARITIES);
	}

	/**
	 * Finds the most similar rows of all parts.
	 * @param parts the response of each part to the same query
	 * @param limit the most rows to return
	 * @return the response to a query of all rows
	 */
	public static VectorSearchResponse merge(List<VectorSearchResponse> parts, int limit) {
		MostSimilar found = new MostSimilar(limit, Float.POSITIVE_INFINITY, -1);
		for (VectorSearchResponse part : parts) {
			for (int i = 0; i < part.rows.length; i++) {
				found.offer(part.rows[i], part.similarities[i]);
			}
		}
		return found.drain();
	}

}
