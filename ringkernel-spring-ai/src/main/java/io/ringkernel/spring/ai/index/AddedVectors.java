package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;

/**
 * Compares rows that were found by rounded vectors once more, by the vectors that were
 * added. Any number of threads.
 */
record AddedVectors(DocumentStorage storage, SimilarityMetric metric) {

	/** The elements of all vectors that are read at once: 256 KB. */
	private static final int ELEMENTS_AT_ONCE = 1 << 16;

	/** Compares rows that were not released. The result is in the order of the kernel. */
	List<Found> nearestFirst(List<Found> found, float[] vector) {
		List<Found> compared = new ArrayList<>(found.size());
		int atOnce = Math.max(1, ELEMENTS_AT_ONCE / vector.length);
		for (int from = 0; from < found.size(); from += atOnce) {
			compare(found.subList(from, Math.min(from + atOnce, found.size())), vector, compared);
		}
		compared.sort(Found.NEAREST_FIRST);
		return compared;
	}

	private void compare(List<Found> some, float[] vector, List<Found> compared) {
		float[] vectors = this.storage.vectors(some.stream().mapToInt(Found::row).toArray());
		int offset = 0;
		for (Found row : some) {
			this.metric.prepare(vectors, offset, vector.length);
			compared.add(row.withSimilarity(this.metric.similarity(vectors, offset, vector)));
			offset += vector.length;
		}
	}

}
