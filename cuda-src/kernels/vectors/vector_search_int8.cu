// The search over vectors whose elements are kept as bytes.
#include "vector_search.cuh"

RING_KERNEL(vector_search_int8, VectorSearchRequest, VectorSearchResponse, DeviceRows)
(Context ctx, const VectorSearchRequest& in, VectorSearchResponse& out) {
  VectorSearch<Int8Elements>(ctx, in, out).handle();
}
