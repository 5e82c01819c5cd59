// VectorAddRequest and VectorAddResponse.
#pragma once

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

struct VectorAddRequest {
  static constexpr uint64_t FINGERPRINT = 0x48097a53756ab79c;
  static constexpr uint32_t MAX_BYTES = 32784;
  static constexpr char LAYOUT[] = R"(VectorAddRequest: fixed block of 16 bytes, alignment 4, at most 32784 bytes in all
  offset    size  align  component
       0       8      4  a float[<=4096]
       8       8      4  b float[<=4096]
)";

  ringkernel::Array<float, 4096, 0> a;
  ringkernel::Array<float, 4096, 8> b;

  __device__ bool valid(ringkernel::Received message) const {
    return message.holds(a) & message.holds(b);
  }
};

static_assert(sizeof(VectorAddRequest) == 16);
static_assert(offsetof(VectorAddRequest, a) == 0);
static_assert(offsetof(VectorAddRequest, b) == 8);

struct VectorAddResponse {
  static constexpr uint64_t FINGERPRINT = 0xd3b543bb9e38cc16;
  static constexpr uint32_t MAX_BYTES = 16400;
  static constexpr char LAYOUT[] = R"(VectorAddResponse: fixed block of 8 bytes, alignment 4, at most 16400 bytes in all
  offset    size  align  component
       0       8      4  sum float[<=4096]
)";

  ringkernel::Array<float, 4096, 0> sum;

  __device__ bool valid(ringkernel::Received message) const { return message.holds(sum); }
};

static_assert(sizeof(VectorAddResponse) == 8);
static_assert(offsetof(VectorAddResponse, sum) == 0);
