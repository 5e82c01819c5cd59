// The rows that one search considers.
#pragma once

#include "device_rows.cuh"
#include "row_filter.cuh"

class RowSelection {
 public:
  __device__ RowSelection(const DeviceRows& index, const RowFilter& filter, uint32_t epoch,
                          uint32_t end)
      : index_(index), filter_(filter), epoch_(epoch), end_(end) {}

  /** Behind the last row. */
  __device__ uint32_t end() const { return end_; }

  __device__ const DeviceRows& index() const { return index_; }

  __device__ bool holds(uint32_t row) const {
    const RowBlock* block = row < end_ ? index_.blockOf(row) : nullptr;
    uint32_t place = row % RowBlock::ROWS;
    return block != nullptr && block->isVisible(place, epoch_) && filter_.matches(*block, place);
  }

 private:
  const DeviceRows& index_;
  const RowFilter& filter_;
  uint32_t epoch_;
  uint32_t end_;
};
