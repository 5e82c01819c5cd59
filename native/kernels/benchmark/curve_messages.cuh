// Generated from io.ringkernel.benchmarks.gpu.CurveMessages$Numbers, io.ringkernel.cuda.CurveMessages$Ends, io.ringkernel.cuda.CurveMessages$Wanted.
// Change the records and generate it anew.
#pragma once

#include <cstddef>
#include <cstdint>

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

struct Numbers {
  static constexpr uint64_t FINGERPRINT = 0xde73f2f0a42c8e49;
  static constexpr uint32_t MAX_BYTES = 16777232;
  static constexpr char LAYOUT[] = R"(Numbers: fixed block of 8 bytes, alignment 4, at most 16777232 bytes in all
  offset    size  align  component
       0       8      4  values float[<=4194304]
)";

  ringkernel::Array<float, 4194304, 0> values;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(values);
  }
};

static_assert(sizeof(Numbers) == 8);
static_assert(offsetof(Numbers, values) == 0);

struct Ends {
  static constexpr uint64_t FINGERPRINT = 0xe454d703287da7f9;
  static constexpr uint32_t MAX_BYTES = 16;
  static constexpr char LAYOUT[] = R"(Ends: fixed block of 16 bytes, alignment 4, at most 16 bytes in all
  offset    size  align  component
       0       4      4  first float
       4       4      4  last float
       8       4      4  count int32
      12       4      4  reserved int32
)";

  float first;
  float last;
  int32_t count;
  int32_t reserved;

  __device__ bool valid(ringkernel::Received) const {
    return true;
  }
};

static_assert(sizeof(Ends) == 16);
static_assert(offsetof(Ends, first) == 0);
static_assert(offsetof(Ends, last) == 4);
static_assert(offsetof(Ends, count) == 8);
static_assert(offsetof(Ends, reserved) == 12);

struct Wanted {
  static constexpr uint64_t FINGERPRINT = 0xb5a2782846250db6;
  static constexpr uint32_t MAX_BYTES = 8;
  static constexpr char LAYOUT[] = R"(Wanted: fixed block of 8 bytes, alignment 4, at most 8 bytes in all
  offset    size  align  component
       0       4      4  count int32
       4       4      4  first float
)";

  int32_t count;
  float first;

  __device__ bool valid(ringkernel::Received) const {
    return true;
  }
};

static_assert(sizeof(Wanted) == 8);
static_assert(offsetof(Wanted, count) == 0);
static_assert(offsetof(Wanted, first) == 4);
