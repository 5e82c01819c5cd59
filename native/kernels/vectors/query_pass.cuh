// Queries that share a pass over the rows: what is kept of them in memory of the device from one
// request of the pass to the next. A first request brings queries, a second one has each worker
// multiply its rows with all of them, and a third one finds the nearest rows of one query.
#pragma once

#include <ringkernel/machine.cuh>

#include "approximate_tile.cuh"
#include "row_elements.cuh"

namespace machine = ringkernel::machine;

/** The beginning of the memory of a pass. */
struct QueryPass {
  static constexpr uint32_t MAX_QUERIES = 64;
  static constexpr uint32_t MAX_SHARDS = 256;

  /** Shards of which each tells the others what it has found nearest. */
  static constexpr uint32_t TELLING = 128;

  /** Of all queries, padded to groups of them. */
  static constexpr uint32_t MAX_ELEMENTS = 1 << 17;

  /** That a worker keeps for all queries. */
  static constexpr uint32_t MAX_KEYS = 2048;

  /** How many passes there are at a time. */
  static constexpr uint32_t SLOTS = 2;

  /** A query as halves hold it. */
  struct Scaled {
    /** A power of two; 0 if the query has no elements to be scaled. */
    float scale;
    /** The length of the scaled vector. */
    float norm;
    /** As rows are compared with it exactly. */
    QueryScale exact;
  };

  /** The number of the pass. Those of a slot ascend, so that what comes late is known. */
  uint32_t id;
  uint32_t count;
  /** How many rows each query finds. */
  uint32_t limit;
  /** How many keys a worker keeps for each query. */
  uint32_t kept;
  uint32_t shards;
  /** The most that the squares of any row add up to. */
  float squares;
  uint32_t unused[2];
  Scaled scaled[MAX_QUERIES];
  /** The pass that has gone over a shard. */
  uint32_t scanned[MAX_SHARDS];
  /** The first key of each query in a shard so far. */
  unsigned long long nearest[MAX_QUERIES][TELLING];
  uint4 fragments[MAX_ELEMENTS / 8];
  /** The queries as rows are compared with them exactly, a place of so many bytes as floats take
   * for each. */
  uint4 queries[MAX_ELEMENTS / 4];
  uint64_t keys[MAX_SHARDS][MAX_KEYS];

  __device__ uint32_t groups() const { return groupsOf(count); }

  __device__ static uint32_t groupsOf(uint32_t queries) { return (queries + GROUP - 1) / GROUP; }

  /** Whether there is room for the queries, and for what each worker keeps. */
  __device__ static bool holds(uint32_t queries, uint32_t dimensions, uint32_t limit, uint32_t kept,
                               uint32_t shards) {
    return queries >= 1 && queries <= MAX_QUERIES && dimensions % MULTIPLE == 0 &&
           dimensions <= MAX_ELEMENTS / GROUP / groupsOf(queries) && limit >= 1 && limit <= kept &&
           kept <= MAX_KEYS / queries && limit <= 128 && shards >= 1 && shards <= MAX_SHARDS;
  }

  /** Called by all threads of a worker, each with its number. */
  __device__ void clear(uint32_t thread, uint32_t threads) {
    auto* words = reinterpret_cast<uint4*>(this);
    for (uint32_t i = thread; i < sizeof(QueryPass) / sizeof(uint4); i += threads) {
      words[i] = {};
    }
  }

  /** Takes a query; called by all lanes of a warp. */
  template <class Elements>
  __device__ void take(uint32_t query, const float* vector, uint32_t dimensions, uint32_t lane) {
    float scale = powerFor(largestOf(vector, dimensions, lane), BITS);
    auto* halves = reinterpret_cast<uint16_t*>(fragments);
    float squares = 0;
    for (uint32_t d = lane; d < dimensions; d += machine::WARP) {
      float element = vector[d] * scale;
      squares = fmaf(element, element, squares);
      halves[QueryFragments<Elements>::place(query, d, groups())] = machine::toHalf(element);
    }
    for (uint32_t mask = machine::WARP / 2; mask > 0; mask /= 2) {
      squares += __shfl_xor_sync(machine::ALL_LANES, squares, mask);
    }
    QueryScale exact =
        ElementWriter<Elements>(dimensions, lane).writeQuery(vector, exactQuery(query, dimensions));
    if (lane == 0) {
      scaled[query] = {scale, sqrtf(squares), exact};
    }
    for (uint32_t shard = lane; shard < TELLING; shard += machine::WARP) {
      nearest[query][shard] = UINT64_MAX;
    }
  }

  /** A query as rows are compared with it exactly. */
  __device__ uint4* exactQuery(uint32_t query, uint32_t dimensions) {
    return queries + query * dimensions / 4;
  }

  /** What the products of a query are less by for a distance, as a multiple of a row's squares. */
  __device__ float half(uint32_t query, bool isEuclidean) const {
    return isEuclidean ? scaled[query].scale / 2 : 0;
  }

  /**
   * How far what a worker has multiplied may be from what a search for the query alone computes,
   * in units of the former. Both operands are rounded to 11 bits, whole numbers and halves are not;
   * what is compared with whole numbers is rounded to 15 bits below the largest element. Below
   * 2^-14 halves are multiples of 2^-24. Of each sum of the device's own, an addend keeps 22 bits
   * below the largest; sums of floats keep 24.
   */
  template <class Elements>
  __device__ float error(uint32_t query, uint32_t dimensions, bool isEuclidean) const {
    float scale = scaled[query].scale;
    // What was added is rounded itself.
    float row = sqrtf(squares) * MORE;
    float norm = scaled[query].norm * MORE;
    // A row that does not fit halves, or a query that is none.
    if (!(scale > 0) || !(row < LARGEST)) {
      return __uint_as_float(0x7f800000);
    }
    auto n = static_cast<float>(dimensions);
    float rounded = (HalfPairs<Elements>::IS_ROUNDED ? 0x1p-10f : 0x1p-11f) * MORE + n * 0x1p-20f;
    float error = rounded * row * norm + 0x1p-25f * MORE * sqrtf(n) * (row + norm);
    if (Elements::IS_SCALED) {
      error += 0x1p-4f * MORE * sqrtf(n) * row;
    }
    float length = norm / scale;
    return isEuclidean ? error + scale / 2 * n * 0x1p-21f * (row * row + length * length) : error;
  }

 private:
  static constexpr uint32_t GROUP = 32;

  /** Rows are then read sixteen bytes at a time, whatever their elements. */
  static constexpr uint32_t MULTIPLE = 16;

  static constexpr float MORE = 1.001f;
  static constexpr float LARGEST = 65504;

  /** The largest element of a scaled query has so many bits before its fraction, and one. */
  static constexpr uint32_t BITS = 10;
};

static_assert(sizeof(QueryPass) ==
                  32 + 64 * 24 + 256 * 4 + 64 * 128 * 8 + (1 << 17) * 6 + 256 * 2048 * 8,
              "DeviceRows.PASS_BYTES");
