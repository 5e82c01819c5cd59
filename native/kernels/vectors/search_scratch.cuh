// The shared memory of searches.
#pragma once

#include <ringkernel/machine.cuh>

#include "key_merge.cuh"
#include "nearest_lists.cuh"
#include "row_scan.cuh"
#include "top_k.cuh"

/** What a worker shares; a block of several workers has a part for each warp. */
struct SearchScratch {
  static constexpr uint32_t WARPS = RINGKERNEL_MAX_THREADS / machine::WARP;
  static constexpr uint32_t ROWS_PER_THREAD = 4;
  static constexpr uint32_t ROWS_PER_WARP = ROWS_PER_THREAD * machine::WARP;

  static_assert(ROWS_PER_WARP * sizeof(int32_t) <= sizeof(RowQueue));

  uint64_t keys[WARPS][TopK::MAX];
  /** The parts of a warp lie at the same place: other workers of the block search otherwise. */
  union {
    int32_t rows[WARPS][sizeof(RowQueue) / sizeof(int32_t)];
    RowQueue queues[WARPS];
  };
  uint32_t counts[WARPS];
  uint32_t ends[WARPS];
  KeyMerge::Scratch merge;
  NearestLists::Scratch lists[WARPS];

  /** Not of an unnamed namespace, whose name in PTX depends on the folder of the build. */
  __device__ static SearchScratch& ofBlock() {
    __shared__ SearchScratch scratch;
    return scratch;
  }
};
