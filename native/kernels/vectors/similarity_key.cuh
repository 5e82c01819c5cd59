// Orders rows by decreasing similarity, then by increasing row: the less, the earlier. The order is
// that of io.ringkernel.spring.ai.search.MostSimilar.
#pragma once

#include <cstdint>

struct SimilarityKey {
  /** @param row at least -1, which comes before all rows of the same similarity */
  __device__ static uint64_t of(float similarity, int32_t row) {
    return static_cast<uint64_t>(~ascending(similarity)) << 32 | static_cast<uint32_t>(row + 1);
  }

  __device__ static int32_t row(uint64_t key) {
    return static_cast<int32_t>(static_cast<uint32_t>(key)) - 1;
  }

  __device__ static float similarity(uint64_t key) {
    uint32_t order = ~static_cast<uint32_t>(key >> 32);
    return __uint_as_float((order & SIGN) != 0 ? order ^ SIGN : ~order);
  }

 private:
  static constexpr uint32_t SIGN = 0x80000000;

  /** Bits that are ordered as the numbers are. Both zeros are equal, so the sum makes them one. */
  __device__ static uint32_t ascending(float similarity) {
    uint32_t bits = __float_as_uint(similarity + 0.0f);
    return (bits & SIGN) != 0 ? ~bits : bits | SIGN;
  }
};
