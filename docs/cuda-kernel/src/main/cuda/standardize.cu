#include <ringkernel/ring_kernel.cuh>
#include "standardize_messages.cuh"

RING_KERNEL(standardize, StandardizeRequest, StandardizeResponse)
(Context ctx, const StandardizeRequest& in, StandardizeResponse& out) {
  uint32_t size = in.values.size();
  if (size == 0) {
    ctx.fail(1);
    return;
  }
  float sum = 0;
  for (uint32_t i = ctx.lane(); i < size; i += ctx.lanes()) {
    sum += in.values[i];
  }
  float mean = ctx.sum(sum) / size;
  float squares = 0;
  for (uint32_t i = ctx.lane(); i < size; i += ctx.lanes()) {
    squares += (in.values[i] - mean) * (in.values[i] - mean);
  }
  float deviation = sqrtf(ctx.sum(squares) / size);
  if (ctx.lane() == 0) {
    out.mean = mean;
    out.deviation = deviation;
  }
  auto scores = out.scores.resize(ctx, size);
  for (uint32_t i = ctx.lane(); i < size; i += ctx.lanes()) {
    scores[i] = (in.values[i] - mean) / deviation;
  }
}
