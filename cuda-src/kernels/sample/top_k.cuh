// The k smallest of many keys, kept by one warp: a sorted list of 128 keys, four in each lane.
#pragma once

#include <ringkernel/machine.cuh>

class TopK {
 public:
  static constexpr uint32_t MAX = 128;

  /** Orders by distance, then by id. A distance is not negative, so its bits order like it. */
  __device__ static uint64_t key(float distance, int32_t id) {
    return static_cast<uint64_t>(__float_as_uint(distance)) << 32 |
           (static_cast<uint32_t>(id) ^ 0x80000000);
  }

  __device__ static float distance(uint64_t key) {
    return __uint_as_float(static_cast<uint32_t>(key >> 32));
  }

  __device__ static int32_t id(uint64_t key) {
    return static_cast<int32_t>(static_cast<uint32_t>(key) ^ 0x80000000);
  }

  /** @param k from 1 to MAX */
  __device__ TopK(uint32_t k, uint32_t lane) : k_(k), lane_(lane) {
    for (uint64_t& key : keys_) {
      key = UINT64_MAX;
    }
  }

  /** Takes a key from each lane that offers one. Called by all lanes. */
  __device__ void offer(uint64_t key, bool offers) {
    uint32_t candidates = __ballot_sync(ringkernel::machine::ALL_LANES, offers && key < worst_);
#pragma unroll 1
    while (candidates != 0) {
      uint32_t from = __ffs(candidates) - 1;
      candidates &= candidates - 1;
      uint64_t candidate = __shfl_sync(ringkernel::machine::ALL_LANES, key, from);
      if (candidate < worst_) {
        insert(candidate);
      }
    }
  }

  /** Hands out the k keys with their index in the list, each to the lane that has it. */
  template <typename Take>
  __device__ void forEach(Take take) const {
#pragma unroll
    for (uint32_t r = 0; r < ROWS; r++) {
      if (r * 32 + lane_ < k_) {
        take(r * 32 + lane_, keys_[r]);
      }
    }
  }

  __device__ void store(uint64_t* list) const {
#pragma unroll
    for (uint32_t r = 0; r < ROWS; r++) {
      list[r * 32 + lane_] = keys_[r];
    }
  }

  /** Takes the keys of another warp's list. */
  __device__ void merge(const uint64_t* list) {
#pragma unroll 1
    for (uint32_t r = 0; r < ROWS; r++) {
      offer(list[r * 32 + lane_], true);
    }
  }

 private:
  static constexpr uint32_t ROWS = MAX / 32;

  uint32_t k_;
  uint32_t lane_;
  uint64_t keys_[ROWS];
  uint64_t worst_ = UINT64_MAX;

  /** Moves what is not smaller up by one, and puts the key before it. */
  __device__ void insert(uint64_t key) {
    uint64_t carry = 0;
    bool inserted = false;
#pragma unroll
    for (uint32_t r = 0; r < ROWS; r++) {
      uint32_t smaller = __popc(__ballot_sync(ringkernel::machine::ALL_LANES, keys_[r] < key));
      uint64_t last = __shfl_sync(ringkernel::machine::ALL_LANES, keys_[r], 31);
      uint64_t before = __shfl_up_sync(ringkernel::machine::ALL_LANES, keys_[r], 1);
      if (lane_ == 0) {
        before = carry;
      }
      if (inserted || lane_ > smaller) {
        keys_[r] = before;
      } else if (lane_ == smaller) {
        keys_[r] = key;
      }
      inserted = inserted || smaller < 32;
      carry = last;
    }
    worst_ = 0;
#pragma unroll
    for (uint32_t r = 0; r < ROWS; r++) {
      if (r == (k_ - 1) / 32) {
        worst_ = __shfl_sync(ringkernel::machine::ALL_LANES, keys_[r], (k_ - 1) % 32);
      }
    }
  }
};
