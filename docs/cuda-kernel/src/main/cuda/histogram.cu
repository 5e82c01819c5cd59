#include <ringkernel/ring_kernel.cuh>
#include "histogram_messages.cuh"

struct Bins {
  int32_t counts[256];
};

struct Counted {
  unsigned long long values;
};

RING_KERNEL(histogram, HistogramRequest, HistogramResponse, Counted)
(Context ctx, const HistogramRequest& in, HistogramResponse& out) {
  __shared__ ringkernel::PerWorker<Bins> all;
  Bins& bins = all.of(ctx);
  for (uint32_t i = ctx.lane(); i < 256; i += ctx.lanes()) {
    bins.counts[i] = 0;
  }
  ctx.sync();
  for (uint32_t i = ctx.lane(); i < in.values.size(); i += ctx.lanes()) {
    atomicAdd(&bins.counts[static_cast<uint8_t>(in.values[i])], 1);
  }
  ctx.sync();
  auto counts = out.counts.resize(ctx, 256);
  for (uint32_t i = ctx.lane(); i < 256; i += ctx.lanes()) {
    counts[i] = bins.counts[i];
  }
  if (ctx.lane() == 0) {
    unsigned long long before = atomicAdd(&ctx.state<Counted>().values, in.values.size());
    out.counted = before + in.values.size();
  }
}
