// Which lap of the ring wrote a chunk. The counterpart is io.ringkernel.ring.LapTag.
#pragma once

#include <cstdint>

namespace ringkernel {

struct LapTag {
  /** What fresh and cleared memory holds; never a tag. */
  static constexpr uint32_t NONE = 0;

  __device__ static uint32_t of(uint64_t position, uint32_t slotsShift) {
    return static_cast<uint32_t>(position >> slotsShift) << 1 | 1;
  }

  __device__ static bool isLater(uint32_t tag, uint32_t other) {
    return static_cast<int32_t>(tag - other) > 0;
  }
};

}  // namespace ringkernel
