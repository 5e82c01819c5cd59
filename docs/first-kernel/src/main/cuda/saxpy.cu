#include <ringkernel/ring_kernel.cuh>
#include "saxpy_messages.cuh"

RING_KERNEL(saxpy, SaxpyRequest, SaxpyResponse)
(Context ctx, const SaxpyRequest& in, SaxpyResponse& out) {
  if (in.x.size() != in.y.size()) {
    ctx.fail(1);
    return;
  }
  auto values = out.values.resize(ctx, in.x.size());
  for (uint32_t i = ctx.lane(); i < values.size(); i += ctx.lanes()) {
    values[i] = in.a * in.x[i] + in.y[i];
  }
}
