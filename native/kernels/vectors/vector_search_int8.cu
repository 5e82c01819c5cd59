// The search over vectors whose elements are kept as bytes.
#include "vector_search.cuh"

RING_KERNEL_ASSISTED(vector_search_int8, VectorSearchRequest, VectorSearchResponse, SearchState)
(Context ctx, const VectorSearchRequest& in, VectorSearchResponse& out) {
  VectorSearch<Int8Elements>(ctx, in, out).handle();
}
