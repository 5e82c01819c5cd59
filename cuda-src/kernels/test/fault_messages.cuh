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

  int64_t sequence;
  int32_t how;

  __device__ bool valid(ringkernel::Received) const {
    return true;
  }
};

static_assert(sizeof(Fault) == 16);
static_assert(offsetof(Fault, sequence) == 0);
static_assert(offsetof(Fault, how) == 8);
