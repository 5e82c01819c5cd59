package io.ringkernel.spring.ai;

import io.ringkernel.spring.ai.graph.IndexKind;

/**
 * The same expressions in a store with a graph, which knows of no metadata.
 */
class GraphFilterExpressionTests extends FilterExpressionTests {

	@Override
	IndexKind index() {
		return IndexKind.GRAPH;
	}

}
