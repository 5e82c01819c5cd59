// Orders neighbours by distance, then by id: the less, the nearer.
#pragma once

#include <cstdint>

struct DistanceKey {
  /** A distance is not negative, so its bits order like it. */
  __device__ static uint64_t of(float distance, int32_t id) {
    return static_cast<uint64_t>(__float_as_uint(distance)) << 32 |
           (static_cast<uint32_t>(id) ^ 0x80000000);
  }

  __device__ static float distance(uint64_t key) {
    return __uint_as_float(static_cast<uint32_t>(key >> 32));
  }

  __device__ static int32_t id(uint64_t key) {
    return static_cast<int32_t>(static_cast<uint32_t>(key) ^ 0x80000000);
  }

  /** Whether something at a distance can come before a key; if not, its id need not be known. */
  __device__ static bool mayPrecede(float distance, uint64_t key) {
    return __float_as_uint(distance) <= static_cast<uint32_t>(key >> 32);
  }
};
