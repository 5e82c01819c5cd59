// Adds two vectors.
#include "../vector_add.cuh"
#include "test_messages.cuh"

RING_KERNEL(vector_add, VectorAddRequest, VectorAddResponse)
(Context ctx, const VectorAddRequest& in, VectorAddResponse& out) {
  addVectors(ctx, in, out);
}
