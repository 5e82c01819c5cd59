package io.ringkernel.spring.ai;

import java.util.List;

import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.index.DocumentIndex;
import io.ringkernel.spring.ai.index.SearchTimes;
import io.ringkernel.spring.ai.index.SearchTimes.Search;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.jspecify.annotations.Nullable;

/**
 * What a vector store holds, and what its searches take.
 *
 * @param documents how many documents it holds
 * @param dimensions the elements of each vector
 * @param metric how vectors are compared
 * @param elementType as what the kernel keeps the elements of vectors
 * @param graph the graph beside the kernel; {@code null} if every search is exact
 * @param vectorBytes how large the vectors of all documents are there
 * @param searches how many searches there were
 * @param searchNanos what they have taken together, without embedding, in nanoseconds
 * @param comparedBytes how large the vectors are that exact ones were to compare with,
 * added up
 * @param recent the last of them
 * @param problem why the documents could not be loaded into the kernel when that was
 * tried last, or the last change could not be written; {@code null} if both could
 * @since 0.2.0
 */
public record VectorStoreStatus(int documents, int dimensions, SimilarityMetric metric, ElementType elementType,
		@Nullable Graph graph, long vectorBytes, long searches, long searchNanos, long comparedBytes, Recent recent,
		@Nullable String problem) {

	static VectorStoreStatus of(DocumentIndex index, int dimensions, SimilarityMetric metric, ElementType elementType) {
		int documents = index.size();
		SearchTimes times = index.times();
		return new VectorStoreStatus(documents, dimensions, metric, elementType, Graph.of(index.graph()),
				(long) documents * dimensions * elementType.elementBytes(), times.count(), times.totalNanos(),
				times.totalBytes(), Recent.of(times.recent()), index.problem());
	}

	/**
	 * The graph that finds the nearest documents.
	 *
	 * @param documents how many documents it has
	 * @param waiting how many different vectors of them are not connected with others
	 * yet; searches are exact while they are more than an eighth
	 * @since 0.2.0
	 */
	public record Graph(int documents, int waiting) {

		static @Nullable Graph of(RowGraph graph) {
			return graph.equals(RowGraph.NONE) ? null : new Graph(graph.size(), graph.waiting());
		}

	}

	/**
	 * The last searches. All values are 0 if there were none.
	 *
	 * @param searches how many; at most 128
	 * @param meanMicros what one has taken on average, without embedding, in microseconds
	 * @param maxMicros what the longest has taken, in microseconds
	 * @param bytesPerSecond how large the vectors are that a search compares with, by
	 * what it takes. Searches that share a pass over the vectors count them once each
	 * @since 0.2.0
	 */
	public record Recent(int searches, double meanMicros, double maxMicros, double bytesPerSecond) {

		private static final double NANOS_PER_MICRO = 1e3;

		private static final double NANOS_PER_SECOND = 1e9;

		static Recent of(List<Search> searches) {
			long nanos = searches.stream().mapToLong(Search::nanos).sum();
			if (nanos == 0) {
				return new Recent(searches.size(), 0, 0, 0);
			}
			long bytes = searches.stream().mapToLong(Search::bytes).sum();
			long longest = searches.stream().mapToLong(Search::nanos).max().orElse(0);
			return new Recent(searches.size(), nanos / NANOS_PER_MICRO / searches.size(), longest / NANOS_PER_MICRO,
					bytes * NANOS_PER_SECOND / nanos);
		}

	}

}
