// Adds two vectors of up to a million elements.
#include "../vector_add.cuh"
#include "large_vector_add_messages.cuh"

RING_KERNEL(vector_add_large, LargeVectorAddRequest, LargeVectorAddResponse)
(Context ctx, const LargeVectorAddRequest& in, LargeVectorAddResponse& out) {
  addVectors(ctx, in, out);
}
