// Copies a message that has a fixed block only: neighbouring threads copy neighbouring words.
#pragma once

#include <ringkernel/ring_kernel.cuh>

template <typename Message>
__device__ __forceinline__ void echoFixed(const Context& ctx, const Message& in, Message& out) {
  auto* from = reinterpret_cast<const uint64_t*>(&in);
  auto* to = reinterpret_cast<uint64_t*>(&out);
  for (uint32_t i = ctx.lane(); i < sizeof(Message) / sizeof(uint64_t); i += ctx.lanes()) {
    to[i] = from[i];
  }
}
