// Returns every other byte, beginning with the first or the second by turns, and leaves out the
// others.
#include <ringkernel/ring_kernel.cuh>

#include "test_messages.cuh"

RING_KERNEL(sparse, Blob, BlobReply)
(Context ctx, const Blob& in, BlobReply& out) {
  auto bytes = out.bytes.resize(ctx, in.bytes.size());
  uint32_t first = in.sequence % 2;
  for (uint32_t i = first + 2 * ctx.lane(); i < bytes.size(); i += 2 * ctx.lanes()) {
    bytes[i] = in.bytes[i];
  }
}
