// Returns the bytes, and their checksum: the sum of all, as unsigned numbers, each times its index
// plus 1.
#include <ringkernel/ring_kernel.cuh>

#include "test_messages.cuh"

RING_KERNEL(blob, Blob, BlobReply)
(Context ctx, const Blob& in, BlobReply& out) {
  out.producer = in.producer;
  out.sequence = in.sequence;
  auto bytes = out.bytes.resize(ctx, in.bytes.size());
  const int8_t* from = in.bytes.data();
  unsigned long long sum = 0;
  for (uint32_t i = ctx.lane(); i < bytes.size(); i += ctx.lanes()) {
    bytes[i] = from[i];
    sum += (i + 1ull) * static_cast<uint8_t>(from[i]);
  }
  ctx.sync();
  atomicAdd(reinterpret_cast<unsigned long long*>(&out.checksum), sum);
}
