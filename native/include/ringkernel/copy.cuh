// Moves large messages over the bus: 16 bytes a thread, neighbours side by side, only what is used.
#pragma once

#include <ringkernel/context.cuh>
#include <ringkernel/machine.cuh>
#include <ringkernel/response_builder.cuh>

/**
 * The most threads of a block, which bounds the registers of a thread: 64 for 1024 threads, 128 for
 * 512. To be defined before this file is included, by a kernel whose handler needs more.
 */
#ifndef RINGKERNEL_MAX_THREADS
#define RINGKERNEL_MAX_THREADS 1024
#endif

namespace ringkernel {

/**
 * How many loads a thread has in flight. A read of the bus takes a microsecond, so a block of the
 * most threads has 64 KiB in flight and moves 35 to 40 GB/s on an H200. Each load takes four of the
 * registers of a thread, which has 64 in a block of 1024 threads.
 */
constexpr uint32_t LOADS_IN_FLIGHT = RINGKERNEL_MAX_THREADS > 512 ? 4 : 8;

/**
 * Moves whole 16-byte units by all threads of a worker: loads as many as it can, then stores. If
 * few units are left behind the last of these rounds, they join it: messages of a power of two and
 * a few bytes more would otherwise wait for the bus once more.
 * @param bytes behind the last byte
 * @param await called before each round, with the last unit that it may load: waits for those of
 * the warp up to there, and tells whether they are there; if not, the thread moves no more
 */
template <bool JOINS, typename Await, typename Load, typename Store>
__device__ __forceinline__ void copyUnits(uint32_t bytes, const Crew& crew, Await await, Load load,
                                          Store store) {
  uint32_t stride = crew.threads() * UNIT;
#pragma unroll 1
  for (uint32_t begin = crew.thread() * UNIT; begin < bytes; begin += LOADS_IN_FLIGHT * stride) {
    if (!await(begin + LOADS_IN_FLIGHT * stride)) {
      return;
    }
    uint4 units[LOADS_IN_FLIGHT];
#pragma unroll
    for (uint32_t k = 0; k < LOADS_IN_FLIGHT; k++) {
      uint32_t at = begin + k * stride;
      units[k] = at < bytes ? load(at) : uint4{};
    }
    uint32_t next = begin + LOADS_IN_FLIGHT * stride;
    store(begin, units[0]);
    bool joins = JOINS && next < bytes && bytes - next <= stride;
    if (joins) {
      units[0] = load(next);
    }
#pragma unroll
    for (uint32_t k = 1; k < LOADS_IN_FLIGHT; k++) {
      if (begin + k * stride < bytes) {
        store(begin + k * stride, units[k]);
      }
    }
    if (joins) {
      store(next, units[0]);
      return;
    }
  }
}

/** Copies a response to its payload, as far as it is not there; released by Ring::answerLarge. */
__device__ inline void copyToHost(uint8_t* to, const ResponseBuilder& response, uint32_t bytes,
                                  const Crew& crew) {
  // It is built nearby up to a part that begins on a unit, and in device memory from there. What
  // was sent is left out.
  uint32_t end = response.sentEnd() == 0 ? bytes : response.sentFrom();
  uint32_t sent = response.sentEnd() == 0 ? 0 : aligned(response.sentEnd(), UNIT) - end;
  copyUnits<false>(
      bytes - sent, crew, [](uint32_t) { return true; },
      [&](uint32_t at) {
        return *reinterpret_cast<const uint4*>(response.at(at < end ? at : at + sent));
      },
      [&](uint32_t at, const uint4& unit) {
        *reinterpret_cast<uint4*>(to + (at < end ? at : at + sent)) = unit;
      });
}

}  // namespace ringkernel
