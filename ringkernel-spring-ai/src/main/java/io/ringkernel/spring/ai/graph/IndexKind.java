package io.ringkernel.spring.ai.graph;

/**
 * How a vector store finds the documents that are nearest to a query.
 *
 * @since 0.2.0
 */
public enum IndexKind {

	/** The kernel compares the query with every vector. */
	EXACT,

	/**
	 * A graph on the host leads to the nearest vectors. It may miss some of them. The
	 * kernel answers what the graph cannot.
	 */
	GRAPH

}
