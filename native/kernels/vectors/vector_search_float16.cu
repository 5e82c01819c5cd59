// The search over vectors whose elements are kept as halves.
#include "vector_search.cuh"

RING_KERNEL_ASSISTED(vector_search_float16, VectorSearchRequest, VectorSearchResponse, SearchState)
(Context ctx, const VectorSearchRequest& in, VectorSearchResponse& out) {
  VectorSearch<Float16Elements>(ctx, in, out).handle();
}
