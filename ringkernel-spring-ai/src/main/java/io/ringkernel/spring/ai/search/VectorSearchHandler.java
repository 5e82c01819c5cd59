package io.ringkernel.spring.ai.search;

import io.ringkernel.RingKernelHandler;

/**
 * The kernel on the CPU: exact search over vectors in the heap. Any number of workers
 * search while others write. The index is a copy of what the vector store keeps, and
 * outlives a launch. Vectors are kept as floats, rounded as the device keeps them. On a
 * CUDA device, {@link #IMAGE} takes the place of this class.
 *
 * @since 0.2.0
 */
public final class VectorSearchHandler implements RingKernelHandler<VectorSearchRequest, VectorSearchResponse> {

	/**
	 * The kernel on a CUDA device for every {@link ElementType}, as a resource location.
	 */
	public static final String IMAGE = "classpath:io/ringkernel/spring/ai/search/vector_search.ptx";

	/** No request names this incarnation. */
	private static final long NO_INCARNATION = 0;

	private volatile VectorIndex index = new VectorIndex(NO_INCARNATION, SimilarityMetric.COSINE, ElementType.FLOAT32,
			1);

	/**
	 * Creates the handler of a kernel without rows.
	 */
	public VectorSearchHandler() {
	}

	@Override
	public VectorSearchResponse handle(VectorSearchRequest request) {
		if (request.operation() == SearchOperation.RESET) {
			this.index = new VectorIndex(request.incarnation(), request.metric(), request.elementType(),
					request.dimensions());
			return VectorSearchResponse.DONE;
		}
		VectorIndex current = this.index;
		if (current.incarnation() != request.incarnation()) {
			return VectorSearchResponse.of(SearchOutcome.STALE);
		}
		return switch (request.operation()) {
			case STAGE -> current.stage(request);
			case RETIRE -> current.retire(request);
			case QUERY -> current.query(request);
			case SELECT -> current.select(request);
			case PREPARE -> current.prepare(request);
			case SCAN -> current.scan(request);
			case NEAREST -> current.nearest(request);
			// The heap grows by itself.
			case ATTACH -> VectorSearchResponse.DONE;
			case RESET -> throw new IllegalStateException("A reset is handled before");
		};
	}

}
