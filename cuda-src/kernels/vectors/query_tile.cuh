// Several queries beside each other: a warp compares some rows with some queries at once, so that
// what it reads of a row serves all of them. Two lanes end up with the similarity of each pair.
#pragma once

#include <ringkernel/machine.cuh>

#include "similarity.cuh"
#include "warp_sums.cuh"

namespace machine = ringkernel::machine;

class QueryTile {
 public:
  static constexpr uint32_t QUERIES = 8;

  /** With eight queries, as many as a thread has registers for. */
  static constexpr uint32_t ROWS = 2;

  /**
   * @param queries one after another, each aligned to 16 bytes
   * @param count how many there are; 1 to QUERIES
   * @param units of each vector, none of them padded
   */
  __device__ QueryTile(const float4* queries, uint32_t count, uint32_t units, uint32_t lane)
      : queries_(queries), count_(count), units_(units), lane_(lane) {}

  /** Which of the rows this lane has the similarity of. */
  __device__ static uint32_t row(uint32_t lane) { return Sums::place(lane) / QUERIES; }

  /** Which of the queries, if there are so many. */
  __device__ static uint32_t query(uint32_t lane) { return Sums::place(lane) % QUERIES; }

  /** Whether this lane stands for its pair, of all that have the same. */
  __device__ static bool isFirst(uint32_t lane) { return Sums::isFirst(lane); }

  /**
   * Compares rows with all queries; called by all lanes of a warp.
   * @param rows where each row begins
   * @param scales what the elements of each are multiples of
   * @return the similarity of the row and the query of this lane
   */
  template <bool EUCLIDEAN, class Elements>
  __device__ float compare(const typename Elements::Part* const (&rows)[ROWS],
                           const float (&scales)[ROWS]) const {
    float sums[PAIRS] = {};
#pragma unroll 1
    for (uint32_t unit = lane_; unit < units_; unit += machine::WARP) {
      // All reads before the first use.
      typename Elements::Part read[ROWS];
#pragma unroll
      for (uint32_t r = 0; r < ROWS; r++) {
        read[r] = machine::loadStreamed(rows[r] + unit);
      }
      float4 values[ROWS];
#pragma unroll
      for (uint32_t r = 0; r < ROWS; r++) {
        values[r] = Elements::values(read[r], EUCLIDEAN ? scales[r] : 1);
      }
      const float4* at = queries_ + unit;
#pragma unroll
      for (uint32_t q = 0; q < QUERIES; q++) {
        // Those behind the last one are that once more, which costs less than to ask.
        float4 query = *at;
        at += q + 1 < count_ ? units_ : 0;
#pragma unroll
        for (uint32_t r = 0; r < ROWS; r++) {
          float& sum = sums[r * QUERIES + q];
          sum = addSimilarity<EUCLIDEAN>(sum, values[r], query);
        }
      }
    }
    float sum = Sums::of(sums, lane_);
    // A product is scaled once. An index that is not a constant would take local memory.
    static_assert(ROWS == 2, "one of two scales is taken");
    return EUCLIDEAN || !Elements::IS_SCALED ? sum
                                             : sum * (row(lane_) == 0 ? scales[0] : scales[1]);
  }

 private:
  static constexpr uint32_t PAIRS = ROWS * QUERIES;

  using Sums = WarpSums<PAIRS>;

  const float4* queries_;
  uint32_t count_;
  uint32_t units_;
  uint32_t lane_;
};
