// Vectors of floats, sixteen bytes at a time: what a thread loads at once.
#pragma once

#include <cstdint>

/** How many units a vector has; the last one of a stored vector is padded with zeros. */
__device__ inline uint32_t unitsOf(uint32_t dimensions) {
  return (dimensions + 3) / 4;
}

/** A unit of a vector that is aligned to 16 bytes and not padded. */
__device__ inline float4 unitOf(const float* vector, uint32_t unit, uint32_t dimensions) {
  uint32_t d = 4 * unit;
  if (d + 4 <= dimensions) {
    return *reinterpret_cast<const float4*>(vector + d);
  }
  float4 tail;
  tail.x = vector[d];
  tail.y = d + 1 < dimensions ? vector[d + 1] : 0;
  tail.z = d + 2 < dimensions ? vector[d + 2] : 0;
  tail.w = 0;
  return tail;
}

/** One of the words of a load: an index that the compiler knows costs no memory. */
__device__ __forceinline__ uint32_t wordOf(uint4 load, uint32_t i) {
  return i == 0 ? load.x : i == 1 ? load.y : i == 2 ? load.z : load.w;
}
