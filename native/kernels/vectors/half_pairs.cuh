// What a lane loads of a row at once, as pairs of halves: what the device multiplies matrices of.
#pragma once

#include <ringkernel/machine.cuh>

#include "row_elements.cuh"

namespace machine = ringkernel::machine;

/**
 * @tparam Elements as what the elements of rows are kept
 */
template <class Elements>
struct HalfPairs;

template <>
struct HalfPairs<Float32Elements> {
  /** How many pairs are loaded at once. */
  static constexpr uint32_t COUNT = 2;

  /** How many loads of each row a lane has under way. */
  static constexpr uint32_t LOADS_AT_ONCE = 3;

  /** Whether a pair is rounded. */
  static constexpr bool IS_ROUNDED = true;

  __device__ static uint32_t pair(uint4 load, uint32_t i) {
    return i == 0 ? machine::toHalves(__uint_as_float(load.x), __uint_as_float(load.y))
                  : machine::toHalves(__uint_as_float(load.z), __uint_as_float(load.w));
  }

  __device__ static float addSquares(float sum, uint4 load) {
    sum = fmaf(__uint_as_float(load.x), __uint_as_float(load.x), sum);
    sum = fmaf(__uint_as_float(load.y), __uint_as_float(load.y), sum);
    sum = fmaf(__uint_as_float(load.z), __uint_as_float(load.z), sum);
    return fmaf(__uint_as_float(load.w), __uint_as_float(load.w), sum);
  }
};

template <>
struct HalfPairs<Float16Elements> {
  static constexpr uint32_t COUNT = 4;
  static constexpr uint32_t LOADS_AT_ONCE = 4;
  static constexpr bool IS_ROUNDED = false;

  __device__ static uint32_t pair(uint4 load, uint32_t i) { return wordOf(load, i); }

  __device__ static float addSquares(float sum, uint4 load) {
#pragma unroll
    for (uint32_t i = 0; i < COUNT; i++) {
      float low = machine::ofHalf(pair(load, i));
      float high = machine::ofHalf(pair(load, i) >> 16);
      sum = fmaf(high, high, fmaf(low, low, sum));
    }
    return sum;
  }
};

/** Whole numbers, of which halves are exact: what they are multiples of is left out. */
template <>
struct HalfPairs<Int8Elements> {
  static constexpr uint32_t COUNT = 8;
  static constexpr uint32_t LOADS_AT_ONCE = 2;
  static constexpr bool IS_ROUNDED = false;

  __device__ static uint32_t pair(uint4 load, uint32_t i) {
    return machine::bytesToHalves(wordOf(load, i / 2), i % 2);
  }

  __device__ static float addSquares(float sum, uint4 load) {
    int32_t squares = 0;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
      squares = machine::dotBytes(wordOf(load, i), wordOf(load, i), squares);
    }
    return sum + static_cast<float>(squares);
  }
};
