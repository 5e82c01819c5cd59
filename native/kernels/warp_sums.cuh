// Sums of several values over the lanes of a warp.
#pragma once

#include <ringkernel/machine.cuh>

namespace machine = ringkernel::machine;

/**
 * Each exchange halves the values that a lane still sums: 9 exchanges do for 8 values, and 16 for
 * 16, instead of 5 for each. Each value is added in the order of a butterfly, so how many there are
 * changes nothing in its sum.
 * @tparam COUNT a power of two, at most WIDTH
 * @tparam WIDTH over how many lanes beside each other: a power of two, at most 32
 */
template <uint32_t COUNT, uint32_t WIDTH = machine::WARP>
struct WarpSums {
  /** How many lanes end up with the sum of the same value. */
  static constexpr uint32_t LANES = WIDTH / COUNT;

  /** Which value this lane has the sum of. */
  __device__ static uint32_t place(uint32_t lane) { return lane % WIDTH / LANES; }

  /** Whether this lane stands for its value, of all that have its sum. */
  __device__ static bool isFirst(uint32_t lane) { return lane % LANES == 0; }

  /** Called by all lanes of the warp; the values are used up. */
  template <class Value>
  __device__ static Value of(Value (&values)[COUNT], uint32_t lane) {
    fold<COUNT / 2>(values, lane);
    Value sum = values[0];
#pragma unroll
    for (uint32_t mask = LANES / 2; mask > 0; mask /= 2) {
      sum += __shfl_xor_sync(machine::ALL_LANES, sum, mask);
    }
    return sum;
  }

 private:
  /** @tparam HALF of the values that are left */
  template <uint32_t HALF, class Value>
  __device__ __forceinline__ static void fold(Value (&values)[COUNT], uint32_t lane) {
    if constexpr (HALF > 0) {
      bool upper = (lane & HALF * LANES) != 0;
#pragma unroll
      for (uint32_t i = 0; i < HALF; i++) {
        Value sent = upper ? values[i] : values[i + HALF];
        Value kept = upper ? values[i + HALF] : values[i];
        values[i] = kept + __shfl_xor_sync(machine::ALL_LANES, sent, HALF * LANES);
      }
      fold<HALF / 2>(values, lane);
    }
  }
};
