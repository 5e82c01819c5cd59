// Sixteen rows beside all queries of a pass, multiplied as matrices of halves by one warp. The
// products are approximate: they tell which rows are worth to be compared exactly.
#pragma once

#include <ringkernel/machine.cuh>

#include "half_pairs.cuh"

namespace machine = ringkernel::machine;

/**
 * Queries as the lanes of a warp need them: in groups of 32, each lane has the same pair of
 * elements of four queries side by side. Lanes 4 i to 4 i + 3 have different elements of the same
 * rows and queries. Which elements a lane multiplies in one step is that lane's affair, as a sum is
 * of all: here it is what it has loaded.
 */
template <class Elements>
struct QueryFragments {
  static constexpr uint32_t GROUP = 32;
  static constexpr uint32_t PAIRS = HalfPairs<Elements>::COUNT;

  /** How many words all lanes need together for what four lanes load at once of a row. */
  __device__ static uint32_t wordsPerLoad(uint32_t groups) {
    return PAIRS * groups * machine::WARP;
  }

  /** Which half belongs to an element of a query. */
  __device__ static uint32_t place(uint32_t query, uint32_t element, uint32_t groups) {
    uint32_t load = element / (2 * PAIRS);
    uint32_t pair = element % (2 * PAIRS) / 2;
    uint32_t lane = query % 8 * 4 + load % 4;
    uint32_t word = ((load / 4 * PAIRS + pair) * groups + query / GROUP) * machine::WARP + lane;
    return word * 8 + query / 8 % 4 * 2 + element % 2;
  }
};

template <class Elements>
class ApproximateTile {
 public:
  static constexpr uint32_t ROWS = 16;
  static constexpr uint32_t QUERIES = 64;

  /** Lane l has those of rows l / 4 and l / 4 + 8. */
  __device__ static uint32_t row(uint32_t lane, uint32_t i) { return lane / 4 + 8 * i; }

  /** Which query a column is of; of the 16 columns, lanes l, l + 4, ... have the same. */
  __device__ static uint32_t query(uint32_t lane, uint32_t column) {
    return column / 2 * 8 + lane % 4 * 2 + column % 2;
  }

  /**
   * Multiplies; called by all lanes of a warp.
   * @param rows where the two rows of this lane begin
   * @param loads how many loads a row takes
   * @param queries the fragments of all queries
   * @param groups of 32 queries: 1 or 2
   */
  __device__ __forceinline__ void multiply(const uint4* const (&rows)[2], uint32_t loads,
                                           const uint4* queries, uint32_t groups, uint32_t lane) {
#pragma unroll
    for (auto& tile : products_) {
#pragma unroll
      for (float& product : tile) {
        product = 0;
      }
    }
    squares_[0] = squares_[1] = 0;
    const uint4* at = queries + lane;
#pragma unroll 1
    for (uint32_t load = lane % 4; load < loads + lane % 4; load += 4 * AT_ONCE) {
      uint4 read[AT_ONCE][2];
#pragma unroll
      for (uint32_t i = 0; i < AT_ONCE; i++) {
        bool isThere = load + 4 * i < loads;
#pragma unroll
        for (uint32_t r = 0; r < 2; r++) {
          read[i][r] = isThere ? machine::loadStreamed(rows[r] + load + 4 * i) : uint4{};
        }
      }
#pragma unroll
      for (uint32_t i = 0; i < AT_ONCE; i++) {
        // The same for all lanes.
        if (load - lane % 4 + 4 * i < loads) {
          multiply(read[i], at, groups);
          at += QueryFragments<Elements>::wordsPerLoad(groups);
        }
      }
    }
#pragma unroll
    for (float& squares : squares_) {
      squares += __shfl_xor_sync(machine::ALL_LANES, squares, 1);
      squares += __shfl_xor_sync(machine::ALL_LANES, squares, 2);
    }
  }

  /**
   * The product of a row of this lane and the query of a column.
   * @param column a constant for the compiler
   */
  __device__ float product(uint32_t column, uint32_t i) const {
    return products_[column / 2][column % 2 + 2 * i];
  }

  /** The squares of a row of this lane, added. */
  __device__ float squares(uint32_t i) const {
    return squares_[i];
  }

 private:
  using Pairs = HalfPairs<Elements>;
  static constexpr uint32_t AT_ONCE = Pairs::LOADS_AT_ONCE;

  float products_[QUERIES / 8][4];
  float squares_[2];

  __device__ __forceinline__ void multiply(const uint4 (&read)[2], const uint4* queries,
                                           uint32_t groups) {
#pragma unroll
    for (uint32_t pair = 0; pair < Pairs::COUNT; pair++) {
      uint32_t first = Pairs::pair(read[0], pair);
      uint32_t second = Pairs::pair(read[1], pair);
      const uint4* at = queries + pair * groups * machine::WARP;
      multiply(0, first, second, *at);
      if (groups > 1) {
        multiply(4, first, second, at[machine::WARP]);
      }
    }
#pragma unroll
    for (uint32_t r = 0; r < 2; r++) {
      squares_[r] = Pairs::addSquares(squares_[r], read[r]);
    }
  }

  __device__ __forceinline__ void multiply(uint32_t tile, uint32_t first, uint32_t second,
                                           uint4 queries) {
    machine::multiplyHalves(products_[tile], first, second, queries.x);
    machine::multiplyHalves(products_[tile + 1], first, second, queries.y);
    machine::multiplyHalves(products_[tile + 2], first, second, queries.z);
    machine::multiplyHalves(products_[tile + 3], first, second, queries.w);
  }
};
