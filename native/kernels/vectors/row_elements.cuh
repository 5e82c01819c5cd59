// As what the elements of stored vectors are kept. A thread loads four of them at once, a part, and
// compares it with four elements of the query.
#pragma once

#include <ringkernel/machine.cuh>

#include "vector_search_messages.cuh"
#include "vector_units.cuh"

namespace machine = ringkernel::machine;

/**
 * As they are.
 */
struct Float32Elements {
  using Part = float4;
  using Load = uint4;
  static constexpr uint32_t LANES_PER_ROW = 32;
  static constexpr uint32_t QUADS = 1;

  __device__ static float4 quad(const Load& load, uint32_t, float) {
    return {__uint_as_float(load.x), __uint_as_float(load.y), __uint_as_float(load.z),
            __uint_as_float(load.w)};
  }

  /**
   * How many rows a lane reads at once, and how many parts of each: 16 warps times 8 times 512
   * bytes are 64 KiB, of which a multiprocessor of an H200 needs 36 to draw its share of the
   * memory's bandwidth. The rows are a power of two.
   */
  static constexpr uint32_t ROWS_AT_ONCE = 8;
  static constexpr bool IS_SCALED = false;

  using Element = float;
  static constexpr float LARGEST = 1;

  __device__ static float4 values(Part part, float) { return part; }
  __device__ static Element element(float value, float) { return value; }

  /** The most that squares add up to once elements are kept so. */
  __device__ static float squares(float sum, float, uint32_t) { return sum; }
};

struct Float16Elements {
  using Part = uint2;
  using Load = uint4;
  static constexpr uint32_t LANES_PER_ROW = 16;
  static constexpr uint32_t QUADS = 2;

  __device__ static float4 quad(const Load& load, uint32_t quad, float) {
    float2 low = machine::ofHalves(quad == 0 ? load.x : load.z);
    float2 high = machine::ofHalves(quad == 0 ? load.y : load.w);
    return {low.x, low.y, high.x, high.y};
  }
  using Element = uint16_t;
  static constexpr float LARGEST = 1;
  static constexpr uint32_t ROWS_AT_ONCE = 8;
  static constexpr bool IS_SCALED = false;

  __device__ static float4 values(Part part, float) {
    return {machine::ofHalf(part.x), machine::ofHalf(part.x >> 16), machine::ofHalf(part.y),
            machine::ofHalf(part.y >> 16)};
  }

  __device__ static Element element(float value, float) { return machine::toHalf(value); }
  __device__ static float squares(float sum, float, uint32_t) { return sum * 1.002f; }
};

/** Multiples of the scale of their vector. */
struct Int8Elements {
  using Part = uint32_t;
  using Load = uint4;
  static constexpr uint32_t LANES_PER_ROW = 8;
  static constexpr uint32_t QUADS = 4;

  __device__ static float4 quad(const Load& load, uint32_t quad, float scale) {
    return values(quad == 0 ? load.x : quad == 1 ? load.y : quad == 2 ? load.z : load.w, scale);
  }
  using Element = int8_t;
  static constexpr float LARGEST = 127;
  static constexpr uint32_t ROWS_AT_ONCE = 8;
  static constexpr bool IS_SCALED = true;

  /**
   * A byte becomes a number without a conversion, of which a multiprocessor makes an eighth of what
   * it adds: the lowest bits of a float of 2^23 count ones.
   */
  __device__ static float4 values(Part part, float scale) {
    uint32_t unsignedBytes = part ^ 0x80808080;
    return {ofByte<0>(unsignedBytes) * scale, ofByte<1>(unsignedBytes) * scale,
            ofByte<2>(unsignedBytes) * scale, ofByte<3>(unsignedBytes) * scale};
  }

  __device__ static Element element(float value, float scale) {
    return static_cast<int8_t>(scale > 0 ? rintf(value / scale) : 0);
  }

  __device__ static float squares(float sum, float scale, uint32_t dimensions) {
    float length = sqrtf(sum) + scale / 2 * sqrtf(static_cast<float>(dimensions));
    return length * length;
  }

 private:
  /** @param bytes signed bytes, each plus 128 */
  template <uint32_t INDEX>
  __device__ static float ofByte(uint32_t bytes) {
    return __uint_as_float(machine::permuted(bytes, 0x4b000000, 0x7650 + INDEX)) - (0x1p23f + 128);
  }
};

/** Calls use with the elements of a type: with code that is compiled for them. */
template <class Use>
__device__ __forceinline__ void withElements(ElementType type, Use use) {
  switch (type) {
    case ElementType::FLOAT16:
      use(Float16Elements());
      break;
    case ElementType::INT8:
      use(Int8Elements());
      break;
    default:
      use(Float32Elements());
      break;
  }
}

/** Writes vectors; called by all lanes of a warp. */
template <class Elements>
class ElementWriter {
 public:
  __device__ ElementWriter(uint32_t dimensions, uint32_t lane)
      : dimensions_(dimensions), lane_(lane) {}

  /**
   * Writes a vector, and pads what is loaded last of it with zeros.
   * @return what its elements are multiples of; 1 unless they are kept so
   */
  __device__ float write(const float* vector, typename Elements::Part* row) const {
    float scale = Elements::IS_SCALED ? largest(vector) / Elements::LARGEST : 1;
    auto* to = reinterpret_cast<typename Elements::Element*>(row);
    constexpr uint32_t LOADED = 4 * Elements::QUADS;
    uint32_t padded = (dimensions_ + LOADED - 1) / LOADED * LOADED;
    for (uint32_t d = lane_; d < padded; d += machine::WARP) {
      to[d] = Elements::element(d < dimensions_ ? vector[d] : 0, scale);
    }
    return scale;
  }

 private:
  uint32_t dimensions_;
  uint32_t lane_;

  __device__ float largest(const float* vector) const {
    float largest = 0;
    for (uint32_t d = lane_; d < dimensions_; d += machine::WARP) {
      largest = fmaxf(largest, fabsf(vector[d]));
    }
    for (uint32_t mask = machine::WARP / 2; mask > 0; mask /= 2) {
      largest = fmaxf(largest, __shfl_xor_sync(machine::ALL_LANES, largest, mask));
    }
    return largest;
  }
};
