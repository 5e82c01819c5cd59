package io.ringkernel.spring.ai;

import io.ringkernel.spring.ai.graph.IndexKind;

/**
 * The tests of {@link RingKernelVectorStore}, and so those of every store of Spring AI,
 * with a graph.
 */
class GraphRingKernelVectorStoreTests extends RingKernelVectorStoreTests {

	@Override
	IndexKind index() {
		return IndexKind.GRAPH;
	}

}
