// Adds two vectors; compiled when its kernel starts.
#include <ringkernel/ring_kernel.cuh>

#include "parts/addition.cuh"
#include "vector_add_messages.cuh"

RING_KERNEL(vector_add, VectorAddRequest, VectorAddResponse)
(Context ctx, const VectorAddRequest &in, VectorAddResponse &out) {
  if (in.a.size() != in.b.size()) {
    ctx.fail(1);
    return;
  }
  const float *a = in.a.data();
  const float *b = in.b.data();
  auto sum = out.sum.resize(ctx, in.a.size());
  fill(ctx, sum, [a, b](uint32_t i) { return added(a[i], b[i]); });
}
