// Several queries beside each other: a warp compares some rows with some queries at once, so that
// what it reads of a row serves all of them. Two lanes end up with the similarity of each pair.
#pragma once

#include <ringkernel/machine.cuh>

#include "similarity.cuh"

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
  __device__ static uint32_t row(uint32_t lane) { return lane / LANES / QUERIES; }

  /** Which of the queries, if there are so many. */
  __device__ static uint32_t query(uint32_t lane) { return lane / LANES % QUERIES; }

  /** Whether this lane stands for its pair, of all that have the same. */
  __device__ static bool isFirst(uint32_t lane) { return lane % LANES == 0; }

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
        values[r] = Elements::values(read[r], scales[r]);
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
    fold<PAIRS / 2>(sums);
    return sums[0] + __shfl_xor_sync(machine::ALL_LANES, sums[0], 1);
  }

 private:
  static constexpr uint32_t PAIRS = ROWS * QUERIES;
  static constexpr uint32_t LANES = machine::WARP / PAIRS;
  static_assert(LANES == 2, "compare() ends with one exchange");

  const float4* queries_;
  uint32_t count_;
  uint32_t units_;
  uint32_t lane_;

  /**
   * Sums each value over lanes whose pair it is, so that it comes first there. Each exchange halves
   * the values that a lane still sums: 16 exchanges do instead of 80. They are added in the order
   * of a butterfly for each value.
   * @tparam HALF of the values that are left
   */
  template <uint32_t HALF>
  __device__ __forceinline__ void fold(float (&values)[PAIRS]) const {
    bool upper = (lane_ & HALF * LANES) != 0;
#pragma unroll
    for (uint32_t i = 0; i < HALF; i++) {
      float sent = upper ? values[i] : values[i + HALF];
      float kept = upper ? values[i + HALF] : values[i];
      values[i] = kept + __shfl_xor_sync(machine::ALL_LANES, sent, HALF * LANES);
    }
    if constexpr (HALF > 1) {
      fold<HALF / 2>(values);
    }
  }
};
