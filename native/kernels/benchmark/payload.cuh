// The benchmarks' Payload (64 bytes), Payload256, and frames of payloads.
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

struct PayloadFrame {
  static constexpr uint64_t FINGERPRINT = 0xf0af6c5fe1629e4a;
  static constexpr uint32_t MAX_BYTES = 16400;

  ringkernel::Array<Payload, 256, 0> payloads;

  __device__ bool valid(ringkernel::Received message) const { return message.holds(payloads); }
};

static_assert(sizeof(PayloadFrame) == 8);
