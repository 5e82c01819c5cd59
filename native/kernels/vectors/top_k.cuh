// The k smallest of many keys, kept by one warp: a sorted list in shared memory.
#pragma once

#include <ringkernel/machine.cuh>

namespace machine = ringkernel::machine;

class TopK {
 public:
  static constexpr uint32_t MAX = 128;

  /**
   * Called by all lanes of the warp, as everything here.
   * @param list of MAX keys, in shared memory
   * @param k from 1 to MAX
   */
  __device__ TopK(uint64_t* list, uint32_t k, uint32_t lane) : list_(list), k_(k), lane_(lane) {
    for (uint32_t i = lane; i < k; i += machine::WARP) {
      list[i] = UINT64_MAX;
    }
    __syncwarp();
  }

  /** The list that another object for it has left, with the same k. */
  __device__ static TopK resumed(uint64_t* list, uint32_t k, uint32_t lane) {
    return TopK(list, k, lane, list[k - 1]);
  }

  /** The greatest key that is kept: none that is not smaller need be offered. */
  __device__ uint64_t worst() const { return worst_; }

  /** Takes a key from each lane that offers one. */
  __device__ void offer(uint64_t key, bool offers) {
    uint32_t candidates = __ballot_sync(machine::ALL_LANES, offers && key < worst_);
#pragma unroll 1
    while (candidates != 0) {
      uint32_t from = __ffs(candidates) - 1;
      candidates &= candidates - 1;
      uint64_t candidate = __shfl_sync(machine::ALL_LANES, key, from);
      if (candidate < worst_) {
        insert(candidate);
      }
    }
  }

  /** Takes the keys of another warp's list, which is of the same k. */
  __device__ void merge(const uint64_t* list) {
#pragma unroll 1
    for (uint32_t first = 0; first < k_; first += machine::WARP) {
      bool isKey = first + lane_ < k_;
      offer(isKey ? list[first + lane_] : 0, isKey);
    }
  }

 private:
  uint64_t* list_;
  uint32_t k_;
  uint32_t lane_;
  uint64_t worst_ = UINT64_MAX;

  __device__ TopK(uint64_t* list, uint32_t k, uint32_t lane, uint64_t worst)
      : list_(list), k_(k), lane_(lane), worst_(worst) {}

  /** Moves what is greater up by one, from the end on, and puts the key before it. */
  __device__ void insert(uint64_t key) {
    uint32_t place = 0;
#pragma unroll 1
    for (uint32_t first = (k_ - 1) / machine::WARP * machine::WARP;; first -= machine::WARP) {
      uint32_t index = first + lane_;
      uint64_t old = index < k_ ? list_[index] : UINT64_MAX;
      bool moves = key < old;
      place += __popc(__ballot_sync(machine::ALL_LANES, !moves));
      // All have read before one writes to the place of the next.
      __syncwarp();
      if (moves && index + 1 < k_) {
        list_[index + 1] = old;
      }
      __syncwarp();
      if (first == 0) {
        break;
      }
    }
    if (lane_ == 0) {
      list_[place] = key;
    }
    __syncwarp();
    worst_ = list_[k_ - 1];
  }
};
