// Takes 8 bytes and returns up to 16 MiB.
#include <ringkernel/ring_kernel.cuh>

#include "curve_messages.cuh"

RING_KERNEL(curve_out, Wanted, Numbers)
(Context ctx, const Wanted& in, Numbers& out) {
  auto values = out.values.resize(ctx, in.count);
  for (uint32_t i = ctx.lane(); i < values.size(); i += ctx.lanes()) {
    values[i] = in.first + i;
  }
}
