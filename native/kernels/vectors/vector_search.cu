// The search over vectors whose elements are kept as floats.
#include "vector_search.cuh"

RING_KERNEL_ASSISTED(vector_search, VectorSearchRequest, VectorSearchResponse, SearchState)
(Context ctx, const VectorSearchRequest& in, VectorSearchResponse& out) {
  VectorSearch<Float32Elements>(ctx, in, out).handle();
}
