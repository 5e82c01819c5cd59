package io.ringkernel.spring.ai.search;

import java.util.Arrays;
import java.util.List;

import io.ringkernel.Capacity;

/**
 * One response of the kernel.
 *
 * @param outcome how the operation ended
 * @param rows the rows that were found: of a query the most similar first, of a selection
 * in ascending order. A query for several vectors returns as many rows for each of them
 * as its limit says, one vector after another, with {@link #NO_ROW} behind the last one
 * that was found
 * @param similarities the similarity of each row of a query; otherwise empty
 * @since 0.2.0
 */
public record VectorSearchResponse(SearchOutcome outcome, @Capacity(VectorSearchRequest.MAX_RESULTS) int[] rows,
		@Capacity(VectorSearchRequest.MAX_RESULTS) float[] similarities) {

	/** Stands for a row that was not found. */
	public static final int NO_ROW = -1;

	private static final int[] NO_ROWS = {};

	private static final float[] NO_SIMILARITIES = {};

	static VectorSearchResponse of(SearchOutcome outcome) {
		return new VectorSearchResponse(outcome, NO_ROWS, NO_SIMILARITIES);
	}

	static VectorSearchResponse of(int[] rows) {
		return new VectorSearchResponse(SearchOutcome.DONE, rows, NO_SIMILARITIES);
	}

	/**
	 * Finds the most similar rows of all parts.
	 * @param parts the response of each part to the same query
	 * @param vector which of the vectors that were searched for; from 0
	 * @param limit the most rows to return, as the query said
	 * @return the response to a query for that vector, of all rows
	 */
	public static VectorSearchResponse merge(List<VectorSearchResponse> parts, int vector, int limit) {
		MostSimilar found = new MostSimilar(limit, Float.POSITIVE_INFINITY, NO_ROW);
		for (VectorSearchResponse part : parts) {
			int end = Math.min(part.rows.length, (vector + 1) * limit);
			for (int i = vector * limit; i < end && part.rows[i] != NO_ROW; i++) {
				found.offer(part.rows[i], part.similarities[i]);
			}
		}
		return found.drain();
	}

	/** What is found for each of several vectors, one after another. */
	static VectorSearchResponse of(List<VectorSearchResponse> each, int limit) {
		int[] rows = new int[each.size() * limit];
		float[] similarities = new float[rows.length];
		Arrays.fill(rows, NO_ROW);
		for (int i = 0; i < each.size(); i++) {
			VectorSearchResponse found = each.get(i);
			System.arraycopy(found.rows, 0, rows, i * limit, found.rows.length);
			System.arraycopy(found.similarities, 0, similarities, i * limit, found.rows.length);
		}
		return new VectorSearchResponse(SearchOutcome.DONE, rows, similarities);
	}

}
