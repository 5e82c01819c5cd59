// Moves large messages over the bus: 16 bytes a thread, neighbours side by side, only what is used.
#pragma once

#include <ringkernel/context.cuh>
#include <ringkernel/machine.cuh>
#include <ringkernel/response_builder.cuh>

namespace ringkernel {

/**
 * How many loads a thread has in flight. A read of the bus takes a microsecond, so a warp moves
 * 2 GB/s this way; more would not fit the 64 registers that a block of 1024 threads leaves.
 */
constexpr uint32_t LOADS_IN_FLIGHT = 4;

/** Copies a payload from the host. Both ends are whole 16-byte units. */
__device__ inline void copyFromHost(uint8_t* to, const uint8_t* from, uint32_t bytes,
                                    const Crew& crew) {
  uint32_t stride = crew.threads() * UNIT;
  for (uint32_t at = crew.thread() * UNIT; at < bytes; at += LOADS_IN_FLIGHT * stride) {
    uint4 words[LOADS_IN_FLIGHT];
#pragma unroll
    for (uint32_t k = 0; k < LOADS_IN_FLIGHT; k++) {
      if (at + k * stride < bytes) {
        words[k] = machine::loadWords(from + at + k * stride);
      }
    }
#pragma unroll
    for (uint32_t k = 0; k < LOADS_IN_FLIGHT; k++) {
      if (at + k * stride < bytes) {
        *reinterpret_cast<uint4*>(to + at + k * stride) = words[k];
      }
    }
  }
}

/** Copies a response to its payload; released by Ring::answerLarge. */
__device__ inline void copyToHost(uint8_t* to, const ResponseBuilder& response, uint32_t bytes,
                                  const Crew& crew) {
#pragma unroll 4
  for (uint32_t at = crew.thread() * UNIT; at < bytes; at += crew.threads() * UNIT) {
    *reinterpret_cast<uint4*>(to + at) = *reinterpret_cast<const uint4*>(response.at(at));
  }
}

}  // namespace ringkernel
