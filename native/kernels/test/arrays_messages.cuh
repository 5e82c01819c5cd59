// The messages of arrays, which is called from C++ alone.
#pragma once

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

struct ArraysRequest {
  static constexpr uint64_t FINGERPRINT = 1;
  static constexpr uint32_t MAX_BYTES = 28;
  static constexpr char LAYOUT[] = "";

  int32_t first;
  uint32_t sizes[6];

  __device__ bool valid(ringkernel::Received) const { return true; }
};

struct ArraysResponse {
  static constexpr uint32_t CAPACITY = 5000;
  static constexpr uint64_t FINGERPRINT = 2;
  static constexpr uint32_t MAX_BYTES = 48 + CAPACITY * (4 + 4 + 8 + 1 + 4 + 4) + 8;
  static constexpr char LAYOUT[] = "";

  ringkernel::Array<int32_t, CAPACITY, 0> a;
  ringkernel::Array<int32_t, CAPACITY, 8> b;
  ringkernel::Array<int64_t, CAPACITY, 16> c;
  ringkernel::Array<int8_t, CAPACITY, 24> d;
  ringkernel::Array<int32_t, CAPACITY, 32> e;
  ringkernel::Array<int32_t, CAPACITY, 40> f;

  __device__ bool valid(ringkernel::Received) const { return true; }
};
