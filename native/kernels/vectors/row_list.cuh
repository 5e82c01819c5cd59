// Lists the rows that are visible and match a filter.
#pragma once

#include "row_selection.cuh"
#include "search_scratch.cuh"

class RowList {
 public:
  /** @param scratch the part of the worker's first warp, with those of its other warps behind */
  __device__ RowList(const Context& ctx, const RowSelection& selection, SearchScratch& scratch)
      : ctx_(ctx),
        selection_(selection),
        scratch_(scratch),
        first_(threadIdx.x / machine::WARP - ctx.lane() / machine::WARP) {}

  /**
   * Lists rows in ascending order.
   * @param from the first row that may be listed
   * @param limit at most TopK::MAX
   * @param rows where to write them, for all threads of the worker
   * @return how many were written
   */
  __device__ uint32_t list(uint32_t from, uint32_t limit, const int32_t*& rows) {
    int32_t* listed = scratch_.rows[first_];
    uint32_t count = 0;
    for (uint32_t base = from; base < selection_.end() && count < limit; base += ctx_.lanes()) {
      uint32_t row = base + ctx_.lane();
      bool holds = selection_.holds(row);
      uint32_t ballot = __ballot_sync(machine::ALL_LANES, holds);
      if (lane() == 0) {
        scratch_.counts[first_ + warp()] = __popc(ballot);
      }
      ctx_.sync();
      uint32_t place = count + __popc(ballot & ((1u << lane()) - 1));
      for (uint32_t i = 0; i < warps(); i++) {
        place += i < warp() ? scratch_.counts[first_ + i] : 0;
        count += scratch_.counts[first_ + i];
      }
      if (holds && place < limit) {
        listed[place] = static_cast<int32_t>(row);
      }
      // All have added the counts before they change.
      ctx_.sync();
    }
    rows = listed;
    return count < limit ? count : limit;
  }

 private:
  const Context& ctx_;
  const RowSelection& selection_;
  SearchScratch& scratch_;
  uint32_t first_;

  __device__ uint32_t warp() const { return ctx_.lane() / machine::WARP; }
  __device__ uint32_t warps() const { return ctx_.lanes() / machine::WARP; }
  __device__ uint32_t lane() const { return ctx_.lane() % machine::WARP; }
};
