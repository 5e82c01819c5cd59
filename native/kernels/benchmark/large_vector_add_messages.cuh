// LargeVectorAddRequest and LargeVectorAddResponse.
#pragma once

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

struct LargeVectorAddRequest {
  static constexpr uint64_t FINGERPRINT = 0x2b055556739d4334;
  static constexpr uint32_t MAX_BYTES = 8388624;
  static constexpr char LAYOUT[] = R"(LargeVectorAddRequest: fixed block of 16 bytes, alignment 4, at most 8388624 bytes in all
  offset    size  align  component
       0       8      4  a float[<=1048576]
       8       8      4  b float[<=1048576]
)";

  ringkernel::Array<float, 1048576, 0> a;
  ringkernel::Array<float, 1048576, 8> b;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(a) & message.holds(b);
  }
};

static_assert(sizeof(LargeVectorAddRequest) == 16);
static_assert(offsetof(LargeVectorAddRequest, a) == 0);
static_assert(offsetof(LargeVectorAddRequest, b) == 8);

struct LargeVectorAddResponse {
  static constexpr uint64_t FINGERPRINT = 0x0f50261d94fa4c70;
  static constexpr uint32_t MAX_BYTES = 4194320;
  static constexpr char LAYOUT[] = R"(LargeVectorAddResponse: fixed block of 8 bytes, alignment 4, at most 4194320 bytes in all
  offset    size  align  component
       0       8      4  sum float[<=1048576]
)";

  ringkernel::Array<float, 1048576, 0> sum;

  __device__ bool valid(ringkernel::Received message) const { return message.holds(sum); }
};

static_assert(sizeof(LargeVectorAddResponse) == 8);
static_assert(offsetof(LargeVectorAddResponse, sum) == 0);
