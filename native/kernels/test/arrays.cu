// Returns six arrays of the sizes that it is told. Three are filled, of which each element is
// written once; so is one of bytes. Of the others, every other element is left out.
#include <ringkernel/ring_kernel.cuh>

#include "arrays_messages.cuh"

RING_KERNEL(arrays, ArraysRequest, ArraysResponse)
(Context ctx, const ArraysRequest& in, ArraysResponse& out) {
  int32_t first = in.first;
  auto leaveOut = [&ctx, first](auto& array, uint32_t size) {
    auto elements = array.resize(ctx, size);
    for (uint32_t i = 2 * ctx.lane(); i < elements.size(); i += 2 * ctx.lanes()) {
      elements[i] = first + i;
    }
  };
  leaveOut(out.a, in.sizes[0]);
  fill(ctx, out.b, in.sizes[1], [first](uint32_t i) { return first + 2 * i; });
  fill(ctx, out.c, in.sizes[2], [first](uint32_t i) { return first + 3ll * i; });
  fill(ctx, out.d, in.sizes[3], [first](uint32_t i) { return first + 4 * i; });
  leaveOut(out.e, in.sizes[4]);
  fill(ctx, out.f, in.sizes[5], [first](uint32_t i) { return first + 6 * i; });
}
