// Adds two vectors, and measures each request on the device.
// The clocks take two registers more than there are for 1024 threads.
#define RINGKERNEL_MAX_THREADS 512

#include "../test/test_messages.cuh"
#include "../vector_add.cuh"

RING_KERNEL_TIMED(vector_add_timed, VectorAddRequest, VectorAddResponse)
(Context ctx, const VectorAddRequest& in, VectorAddResponse& out) {
  addVectors(ctx, in, out);
}
