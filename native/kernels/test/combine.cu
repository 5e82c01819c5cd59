// Combines what the threads of a worker hold: the sum of a, its least and its greatest element,
// which warps there are, and how many elements of b there are of each remainder by four.
#include <ringkernel/ring_kernel.cuh>

#include "test_messages.cuh"

struct Remainders {
  uint32_t counts[4];
};

RING_KERNEL(combine, VectorAddRequest, VectorAddResponse)
(Context ctx, const VectorAddRequest& in, VectorAddResponse& out) {
  __shared__ ringkernel::PerWorker<Remainders> all;
  Remainders& remainders = all.of(ctx);
  if (ctx.lane() < 4) {
    remainders.counts[ctx.lane()] = 0;
  }
  ctx.sync();
  for (uint32_t i = ctx.lane(); i < in.b.size(); i += ctx.lanes()) {
    atomicAdd(&remainders.counts[static_cast<uint32_t>(in.b[i]) % 4], 1u);
  }
  float sum = 0, least = in.a[0], greatest = in.a[0];
  for (uint32_t i = ctx.lane(); i < in.a.size(); i += ctx.lanes()) {
    sum += in.a[i];
    least = in.a[i] < least ? in.a[i] : least;
    greatest = in.a[i] > greatest ? in.a[i] : greatest;
  }
  sum = ctx.sum(sum);
  least = ctx.min(least);
  greatest = ctx.max(greatest);
  uint32_t warps =
      ctx.reduce(1u << (ctx.lane() / 32), [](uint32_t one, uint32_t other) { return one | other; });
  ctx.sync();
  auto results = out.sum.resize(ctx, 8);
  if (ctx.lane() == 0) {
    results[0] = sum;
    results[1] = least;
    results[2] = greatest;
    results[3] = static_cast<float>(warps);
    for (uint32_t i = 0; i < 4; i++) {
      results[4 + i] = static_cast<float>(remainders.counts[i]);
    }
  }
}
