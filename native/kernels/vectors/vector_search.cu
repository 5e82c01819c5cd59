// The search over vectors.
#include "vector_search.cuh"

RING_KERNEL_ASSISTED(vector_search, VectorSearchRequest, VectorSearchResponse, SearchState)
(Context ctx, const VectorSearchRequest& in, VectorSearchResponse& out) {
  VectorSearch(ctx, in, out).handle();
}
