// Takes 8 bytes and returns up to 16 MiB.
#include <ringkernel/ring_kernel.cuh>

#include "curve_messages.cuh"

RING_KERNEL(curve_out, Wanted, Numbers)
(Context ctx, const Wanted& in, Numbers& out) {
  float first = in.first;
  fill(ctx, out.values, in.count, [first](uint32_t i) { return first + i; });
}
