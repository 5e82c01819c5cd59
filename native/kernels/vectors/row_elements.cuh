// As what the elements of stored vectors are kept, and how a thread compares what it has loaded of
// some rows at once with what belongs there of a query.
#pragma once

#include <ringkernel/machine.cuh>

#include "../warp_sums.cuh"
#include "similarity.cuh"
#include "vector_search_messages.cuh"
#include "vector_units.cuh"

namespace machine = ringkernel::machine;

/** What a query is beside its elements, as rows of bytes are compared with it. */
struct QueryScale {
  /** What its whole numbers are multiples of. */
  double unit;
  /** Their squares, added. */
  double squares;
};

/**
 * The sums of some rows over what a lane loads of them: of products, or of squares of differences.
 * @tparam Elements floats of some size
 * @tparam ROWS how many
 */
template <class Elements, uint32_t ROWS>
class FloatSums {
 public:
  /** How the lanes of a row share its sums. */
  using Lanes = WarpSums<ROWS, Elements::LANES_PER_ROW>;

  /** Adds what was loaded of each row. */
  __device__ __forceinline__ void add(const uint4 (&read)[ROWS], const uint4* query,
                                      bool isEuclidean) {
    isEuclidean ? add<true>(read, query) : add<false>(read, query);
  }

  /**
   * How similar the query is to the row whose sum this lane has. Called by all lanes of a warp; the
   * sums begin anew.
   */
  __device__ __forceinline__ float similarity(uint32_t lane, float, const QueryScale&, bool) {
    float sum = Lanes::of(sums_, lane);
#pragma unroll
    for (float& own : sums_) {
      own = 0;
    }
    return numbered(sum);
  }

 private:
  float sums_[ROWS] = {};

  template <bool EUCLIDEAN>
  __device__ __forceinline__ void add(const uint4 (&read)[ROWS], const uint4* query) {
#pragma unroll
    for (uint32_t quad = 0; quad < Elements::QUADS; quad++) {
      float4 values = reinterpret_cast<const float4*>(query)[quad];
#pragma unroll
      for (uint32_t r = 0; r < ROWS; r++) {
        sums_[r] = addSimilarity<EUCLIDEAN>(sums_[r], Elements::quad(read[r], quad), values);
      }
    }
  }
};

/**
 * As they are. A lane loads sixteen bytes of a row at once, as of elements of all types.
 */
struct Float32Elements {
  static constexpr uint32_t LANES_PER_ROW = 32;
  static constexpr uint32_t PER_LOAD = 4;
  static constexpr uint32_t QUADS = 1;

  /** How much of a query belongs to a load: so many times sixteen bytes. */
  static constexpr uint32_t QUERY_UNITS = QUADS;

  /**
   * How many rows a lane reads at once: 16 warps times 8 times 512 bytes are 64 KiB, of which a
   * multiprocessor of an H200 needs 36 to draw its share of the memory's bandwidth. The rows are a
   * power of two.
   */
  static constexpr uint32_t ROWS_AT_ONCE = 8;
  static constexpr bool IS_SCALED = false;

  template <uint32_t ROWS>
  using Sums = FloatSums<Float32Elements, ROWS>;

  using Element = float;
  static constexpr float LARGEST = 1;

  __device__ static float4 quad(const uint4& load, uint32_t) {
    return {__uint_as_float(load.x), __uint_as_float(load.y), __uint_as_float(load.z),
            __uint_as_float(load.w)};
  }

  __device__ static Element element(float value, float) { return value; }

  /** The most that squares add up to once elements are kept so. */
  __device__ static float squares(float sum, float, uint32_t) { return sum; }
};

struct Float16Elements {
  static constexpr uint32_t LANES_PER_ROW = 16;
  static constexpr uint32_t PER_LOAD = 8;
  static constexpr uint32_t QUADS = 2;
  static constexpr uint32_t QUERY_UNITS = QUADS;
  static constexpr uint32_t ROWS_AT_ONCE = 8;
  static constexpr bool IS_SCALED = false;

  template <uint32_t ROWS>
  using Sums = FloatSums<Float16Elements, ROWS>;

  using Element = uint16_t;
  static constexpr float LARGEST = 1;

  __device__ static float4 quad(const uint4& load, uint32_t quad) {
    float2 low = machine::ofHalves(quad == 0 ? load.x : load.z);
    float2 high = machine::ofHalves(quad == 0 ? load.y : load.w);
    return {low.x, low.y, high.x, high.y};
  }

  __device__ static Element element(float value, float) { return machine::toHalf(value); }
  __device__ static float squares(float sum, float, uint32_t) { return sum * 1.002f; }
};

/**
 * The same of rows of bytes, with a query of whole numbers of 16 bits: a signed byte of each, and
 * an unsigned one below. Sums of whole numbers are exact, in whichever order they are added.
 */
template <uint32_t LANES, uint32_t ROWS>
class ByteSums {
 public:
  using Lanes = WarpSums<ROWS, LANES>;

  __device__ __forceinline__ void add(const uint4 (&read)[ROWS], const uint4* query,
                                      bool isEuclidean) {
    uint4 high = query[0];
    uint4 low = query[1];
#pragma unroll
    for (uint32_t r = 0; r < ROWS; r++) {
#pragma unroll
      for (uint32_t i = 0; i < 4; i++) {
        uint32_t bytes = wordOf(read[r], i);
        high_[r] = machine::dotBytes(bytes, wordOf(high, i), high_[r]);
        low_[r] = machine::dotUnsignedBytes(bytes, wordOf(low, i), low_[r]);
      }
    }
    if (isEuclidean) {
#pragma unroll
      for (uint32_t r = 0; r < ROWS; r++) {
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
          uint32_t bytes = wordOf(read[r], i);
          squares_[r] = machine::dotBytes(bytes, bytes, squares_[r]);
        }
      }
    }
  }

  /** @param scale of the row whose sum this lane has */
  __device__ __forceinline__ float similarity(uint32_t lane, float scale, const QueryScale& query,
                                              bool isEuclidean) {
    int64_t high = Lanes::of(high_, lane);
    double product = static_cast<double>(high * 256 + Lanes::of(low_, lane)) * query.unit * scale;
    if (isEuclidean) {
      double squares = static_cast<double>(Lanes::of(squares_, lane)) * scale * scale;
      product = 2 * product - squares - query.squares * query.unit * query.unit;
    }
#pragma unroll
    for (uint32_t r = 0; r < ROWS; r++) {
      high_[r] = low_[r] = squares_[r] = 0;
    }
    return numbered(static_cast<float>(product));
  }

 private:
  int32_t high_[ROWS] = {};
  int32_t low_[ROWS] = {};
  /** Of the rows, for a distance. */
  int32_t squares_[ROWS] = {};
};

/** Multiples of the scale of their vector. */
struct Int8Elements {
  static constexpr uint32_t LANES_PER_ROW = 8;
  static constexpr uint32_t PER_LOAD = 16;
  static constexpr uint32_t QUERY_UNITS = 2;
  static constexpr uint32_t ROWS_AT_ONCE = 4;
  static constexpr bool IS_SCALED = true;

  template <uint32_t ROWS>
  using Sums = ByteSums<LANES_PER_ROW, ROWS>;

  using Element = int8_t;
  static constexpr float LARGEST = 127;

  __device__ static Element element(float value, float scale) {
    return static_cast<int8_t>(scale > 0 ? rintf(value / scale) : 0);
  }

  __device__ static float squares(float sum, float scale, uint32_t dimensions) {
    float length = sqrtf(sum) + scale / 2 * sqrtf(static_cast<float>(dimensions));
    return length * length;
  }
};

/** The largest magnitude of a vector, for all lanes of the warp that calls. */
__device__ inline float largestOf(const float* vector, uint32_t dimensions, uint32_t lane) {
  float largest = 0;
  for (uint32_t d = lane; d < dimensions; d += machine::WARP) {
    largest = fmaxf(largest, fabsf(vector[d]));
  }
  for (uint32_t mask = machine::WARP / 2; mask > 0; mask /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(machine::ALL_LANES, largest, mask));
  }
  return largest;
}

/**
 * The power of two that brings a magnitude to 2^bits to 2^(bits + 1); 0 if it is 0, or no number.
 * What is less than 2^-113 does not come so far.
 */
__device__ inline float powerFor(float magnitude, uint32_t bits) {
  uint32_t exponent = __float_as_uint(magnitude) >> 23;
  if (magnitude == 0 || exponent == 0xff) {
    return 0;
  }
  uint32_t power = 127 + bits + 127 - exponent;
  return __uint_as_float((power < 240 + bits ? power : 240 + bits) << 23);
}

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

/** Writes queries and vectors; called by all lanes of a warp. */
template <class Elements>
class ElementWriter {
 public:
  __device__ ElementWriter(uint32_t dimensions, uint32_t lane)
      : dimensions_(dimensions), lane_(lane) {}

  /**
   * Writes a vector, and pads what is loaded last of it with zeros.
   * @return what its elements are multiples of; 1 unless they are kept so
   */
  __device__ float write(const float* vector, uint8_t* row) const {
    float scale =
        Elements::IS_SCALED ? largestOf(vector, dimensions_, lane_) / Elements::LARGEST : 1;
    auto* to = reinterpret_cast<typename Elements::Element*>(row);
    for (uint32_t d = lane_; d < padded(); d += machine::WARP) {
      to[d] = Elements::element(d < dimensions_ ? vector[d] : 0, scale);
    }
    return scale;
  }

  /** Writes a query as rows are compared with it, padded likewise. */
  __device__ QueryScale writeQuery(const float* vector, uint4* query) const {
    if constexpr (Elements::IS_SCALED) {
      return writeNumbers(vector, reinterpret_cast<uint8_t*>(query));
    } else {
      auto* to = reinterpret_cast<float*>(query);
      for (uint32_t d = lane_; d < padded(); d += machine::WARP) {
        to[d] = d < dimensions_ ? vector[d] : 0;
      }
      return {1, 0};
    }
  }

 private:
  /** Of a query that is rounded to whole numbers. */
  static constexpr uint32_t BITS = 14;

  uint32_t dimensions_;
  uint32_t lane_;

  __device__ uint32_t padded() const {
    return (dimensions_ + Elements::PER_LOAD - 1) / Elements::PER_LOAD * Elements::PER_LOAD;
  }

  /** The upper bytes of what belongs to a load lie before the lower ones. */
  __device__ QueryScale writeNumbers(const float* vector, uint8_t* to) const {
    float power = powerFor(largestOf(vector, dimensions_, lane_), BITS);
    double squares = 0;
    for (uint32_t d = lane_; d < padded(); d += machine::WARP) {
      float rounded = d < dimensions_ ? fminf(rintf(vector[d] * power), 0x7fff) : 0;
      auto number = static_cast<int32_t>(rounded);
      uint8_t* load = to + d / Elements::PER_LOAD * 2 * Elements::PER_LOAD;
      load[d % Elements::PER_LOAD] = static_cast<uint8_t>(number >> 8);
      load[Elements::PER_LOAD + d % Elements::PER_LOAD] = static_cast<uint8_t>(number);
      squares += static_cast<double>(rounded) * rounded;
    }
    for (uint32_t mask = machine::WARP / 2; mask > 0; mask /= 2) {
      squares += __shfl_xor_sync(machine::ALL_LANES, squares, mask);
    }
    return {power > 0 ? 1.0 / power : 0, squares};
  }
};
