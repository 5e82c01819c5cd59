// Generated from io.ringkernel.cuda.FaultMessages$Fault.
// Change the records and generate it anew.
#pragma once

#include <cstddef>
#include <cstdint>

#include <ringkernel/message.cuh>
#include <ringkernel/received.cuh>

struct Fault {
  static constexpr uint64_t FINGERPRINT = 0x31accb71ba8cf667;
  static constexpr uint32_t MAX_BYTES = 16;
  static constexpr char LAYOUT[] = R"(Fault: fixed block of 16 bytes, alignment 8, at most 16 bytes in all
  offset    size  align  component
       0       8      8  sequence int64
       8       4      4  how int32
)";

  int64_t sequence;
  int32_t how;

  __device__ bool valid(ringkernel::Received) const {
    return true;
  }
};

static_assert(sizeof(Fault) == 16);
static_assert(offsetof(Fault, sequence) == 0);
static_assert(offsetof(Fault, how) == 8);
