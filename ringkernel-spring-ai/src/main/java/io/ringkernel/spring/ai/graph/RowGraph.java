package io.ringkernel.spring.ai.graph;

import java.util.Collection;
import java.util.function.IntPredicate;

import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Finds the rows that are nearest to a vector, of one version of the documents. Versions
 * count up. A row that was added in version <i>a</i> and retired in version <i>b</i> is
 * found in each version <i>v</i> with <i>a ≤ v &lt; b</i>.
 * <p>
 * Safe for use by any number of threads.
 *
 * @since 0.2.0
 */
public interface RowGraph extends AutoCloseable {

	/** Finds nothing, and keeps nothing. */
	RowGraph NONE = new NoGraph();

	/** What to do if the library for graphs is not on the class path. */
	String REMEDY = "Add the dependency io.github.jbellis:jvector, or set the index of the store to exact.";

	/** So many points are found for each row that is wanted. */
	int FOUND_PER_ROW = 2;

	/**
	 * Looks for JVector, the library for graphs, which is optional.
	 * @return whether there can be graphs
	 */
	static boolean isAvailable() {
		return ClassUtils.isPresent("io.github.jbellis.jvector.graph.GraphIndexBuilder",
				ClassUtils.getDefaultClassLoader());
	}

	/**
	 * Creates what finds rows for a kind of index.
	 * @param kind the kind
	 * @param metric how vectors are compared
	 * @param dimensions the elements of each vector
	 * @return a graph without rows; {@link #NONE} for an exact index
	 * @throws IllegalStateException if the library for graphs is not on the class path
	 */
	static RowGraph of(IndexKind kind, SimilarityMetric metric, int dimensions) {
		return switch (kind) {
			case EXACT -> NONE;
			case GRAPH -> {
				if (!isAvailable()) {
					throw new IllegalStateException("A graph needs JVector, which is not on the class path. " + REMEDY);
				}
				yield new HeapGraph(metric, dimensions);
			}
		};
	}

	/**
	 * Adds a row. It is found from now on, and connected with others in the background.
	 * Does nothing if the row was added before and not released.
	 * @param row the row
	 * @param vectors holds its vector, as it was embedded
	 * @param offset where that begins
	 * @param version the version from which on it is visible
	 */
	void add(int row, float[] vectors, int offset, long version);

	/**
	 * Makes rows invisible.
	 * @param rows the rows, none of which was retired before
	 * @param version the first version that does not see them
	 */
	void retire(Collection<Integer> rows, long version);

	/**
	 * Forgets a row that was retired, and that no version holds that is still read. It
	 * may be added again.
	 * @param row the row
	 */
	void release(int row);

	/**
	 * Finds rows among which the nearest are, by rounded vectors.
	 * @param vector what is searched for, as {@link SimilarityMetric#prepare} has made it
	 * @param count how many rows are wanted; more are found
	 * @param version the version to search
	 * @param filter which rows to consider
	 * @return the rows, in no order; {@code null} if too many are not connected yet, or
	 * the search has looked at too many
	 */
	int @Nullable [] candidates(float[] vector, int count, long version, IntPredicate filter);

	/**
	 * How many rows there are that were not retired.
	 * @return a count
	 */
	int size();

	/**
	 * How many vectors are not connected with others yet.
	 * @return a count
	 */
	int waiting();

	/** Ends the threads that connect rows. */
	@Override
	void close();

}
