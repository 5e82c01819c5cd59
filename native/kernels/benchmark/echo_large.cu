// Returns up to 64 KiB as they are, sixteen bytes a step and thread.
#include <ringkernel/ring_kernel.cuh>

#include "large_payload_messages.cuh"

RING_KERNEL(echo_large, LargePayload, LargePayload)
(Context ctx, const LargePayload& in, LargePayload& out) {
  auto words = out.words.resize(ctx, in.words.size());
  auto* from = reinterpret_cast<const uint4*>(in.words.data());
  auto* to = reinterpret_cast<uint4*>(words.data());
  uint32_t whole = words.size() / 4;
  for (uint32_t i = ctx.lane(); i < whole; i += ctx.lanes()) {
    to[i] = from[i];
  }
  for (uint32_t i = whole * 4 + ctx.lane(); i < words.size(); i += ctx.lanes()) {
    words[i] = in.words[i];
  }
}
