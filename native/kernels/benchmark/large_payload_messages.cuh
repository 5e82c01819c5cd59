// Generated from io.ringkernel.benchmarks.gpu.LargePayload.
// Change the records and generate it anew.
#pragma once

#include <cstddef>
#include <cstdint>

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

struct LargePayload {
  static constexpr uint64_t FINGERPRINT = 0x93613091341999a5;
  static constexpr uint32_t MAX_BYTES = 65552;
  static constexpr char LAYOUT[] = R"(LargePayload: fixed block of 8 bytes, alignment 4, at most 65552 bytes in all
  offset    size  align  component
       0       8      4  words int32[<=16384]
)";

  ringkernel::Array<int32_t, 16384, 0> words;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(words);
  }
};

static_assert(sizeof(LargePayload) == 8);
static_assert(offsetof(LargePayload, words) == 0);
