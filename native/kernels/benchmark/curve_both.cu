// Takes up to 16 MiB and returns as much.
#include <ringkernel/ring_kernel.cuh>

#include "curve_messages.cuh"

RING_KERNEL(curve_both, Numbers, Numbers)
(Context ctx, const Numbers& in, Numbers& out) {
  const float* from = in.values.data();
  fill(ctx, out.values, in.values.size(), [from](uint32_t i) { return from[i] + 1; });
}
