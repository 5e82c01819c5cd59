// The benchmarks' Payload (64 bytes) and Payload256.
#pragma once

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

struct Payload {
  static constexpr uint64_t FINGERPRINT = 0x8a3f04121fdf705c;
  static constexpr uint32_t MAX_BYTES = 64;

  int64_t a;
  int64_t b;
  int64_t c;
  int64_t d;
  int64_t e;
  int64_t f;
  int64_t g;
  int64_t h;

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Payload) == 64);

struct Payload256 {
  static constexpr uint64_t FINGERPRINT = 0x71c5d0eff7609c24;
  static constexpr uint32_t MAX_BYTES = 256;

  int64_t values[32];

  __device__ bool valid(ringkernel::Received) const { return true; }
};

static_assert(sizeof(Payload256) == 256);
