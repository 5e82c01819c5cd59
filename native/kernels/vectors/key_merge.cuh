// The k least keys of many sorted lists, found by all threads of a worker.
#pragma once

#include <ringkernel/ring_kernel.cuh>

#include "top_k.cuh"

/**
 * First a bound that k keys do not exceed: of every list the key at one place is looked at. What
 * does not exceed it is then little more than k keys, whose order is counted. If they are too many,
 * as of lists that are no random parts of the whole, a warp merges list after list.
 */
class KeyMerge {
 public:
  /** How many keys and lists there is room for. */
  static constexpr uint32_t KEYS_PER_WARP = 32;
  static constexpr uint32_t LISTS_PER_WARP = 16;

  /** In shared memory; a block of several workers has a part for each warp. */
  struct Scratch {
    static constexpr uint32_t WARPS = RINGKERNEL_MAX_THREADS / machine::WARP;

    uint64_t keys[WARPS][KEYS_PER_WARP];
    uint32_t lists[WARPS][LISTS_PER_WARP];
    uint64_t bounds[WARPS];
    uint32_t selected[WARPS];
    uint32_t counts[WARPS];
  };

  /** @param first the first warp of the worker in its block */
  __device__ KeyMerge(const Context& ctx, Scratch& scratch, uint32_t first)
      : ctx_(ctx),
        keys_(scratch.keys[first]),
        lists_(scratch.lists[first]),
        bound_(scratch.bounds[first]),
        selected_(scratch.selected[first]),
        count_(scratch.counts[first]) {}

  /**
   * Called by all threads, behind a barrier. All see the result after.
   * @param lists has at(i), a list of k keys that is filled up with UINT64_MAX, and first(i), its
   * first key: UINT64_MAX if there is no such list
   * @param count how many lists there may be
   * @param k from 1 to TopK::MAX
   * @param result k keys in shared memory; it may be the first list
   */
  template <class Lists>
  __device__ void merge(const Lists& lists, uint32_t count, uint32_t k, uint64_t* result) {
    bool fits = count <= LISTS_PER_WARP * warps();
    if (fits) {
      uint64_t first = ctx_.lane() < count ? lists.first(ctx_.lane()) : UINT64_MAX;
      findBound(lists, first, count, k);
      select(first);
      gather(lists, k);
      fits = machine::peek(count_) <= room();
    }
    if (fits) {
      order(machine::peek(count_), k, result);
    } else {
      mergeOneByOne(lists, count, k, result);
    }
    ctx_.sync();
  }

 private:
  /** How many threads count for one key. */
  static constexpr uint32_t PARTS = 4;

  const Context& ctx_;
  uint64_t* keys_;
  uint32_t* lists_;
  uint64_t& bound_;
  uint32_t& selected_;
  uint32_t& count_;

  __device__ uint32_t warps() const { return ctx_.lanes() / machine::WARP; }
  __device__ uint32_t room() const { return KEYS_PER_WARP * warps(); }

  /**
   * Calls for each of the keys with how many are before it, by one thread. Called by all threads.
   */
  template <class Use>
  __device__ void rank(uint32_t count, Use use) const {
    uint32_t part = ctx_.lane() % PARTS;
#pragma unroll 1
    for (uint32_t base = 0; base < count; base += ctx_.lanes() / PARTS) {
      uint32_t index = base + ctx_.lane() / PARTS;
      uint64_t key = index < count ? keys_[index] : UINT64_MAX;
      uint32_t rank = 0;
#pragma unroll 4
      for (uint32_t i = part; i < count; i += PARTS) {
        rank += keys_[i] < key || (keys_[i] == key && i < index) ? 1 : 0;
      }
      rank += __shfl_xor_sync(machine::ALL_LANES, rank, 1);
      rank += __shfl_xor_sync(machine::ALL_LANES, rank, 2);
      if (part == 0 && index < count) {
        use(rank, key);
      }
    }
  }

  /**
   * Of each list the key at the place p: the r-th of them is not exceeded by r times p + 1 keys.
   */
  template <class Lists>
  __device__ void findBound(const Lists& lists, uint64_t first, uint32_t count, uint32_t k) {
    if (ctx_.lane() == 0) {
      selected_ = 0;
      count_ = 0;
      bound_ = UINT64_MAX;
    }
    ctx_.sync();
    uint32_t there = __popc(__ballot_sync(machine::ALL_LANES, first != UINT64_MAX));
    if (ctx_.lane() % machine::WARP == 0 && there > 0) {
      atomicAdd(&count_, there);
    }
    ctx_.sync();
    there = machine::peek(count_);
    uint32_t each = there == 0 ? 1 : (k + there - 1) / there;
    if (ctx_.lane() < count) {
      keys_[ctx_.lane()] =
          each == 1 || first == UINT64_MAX ? first : lists.at(ctx_.lane())[each - 1];
    }
    ctx_.sync();
    uint32_t wanted = (k + each - 1) / each - 1;
    rank(count, [this, wanted](uint32_t rank, uint64_t key) {
      if (rank == wanted) {
        bound_ = key;
      }
    });
    if (ctx_.lane() == 0) {
      count_ = 0;
    }
    ctx_.sync();
  }

  /** Notes the lists that have keys up to the bound. */
  __device__ void select(uint64_t first) {
    if (first <= bound_ && first != UINT64_MAX) {
      lists_[atomicAdd(&selected_, 1u)] = ctx_.lane();
    }
    ctx_.sync();
  }

  /** Collects these keys, in any order. */
  template <class Lists>
  __device__ void gather(const Lists& lists, uint32_t k) {
    uint32_t selected = machine::peek(selected_);
    for (uint32_t i = ctx_.lane() / machine::WARP; i < selected; i += warps()) {
      const uint64_t* list = lists.at(lists_[i]);
      for (uint32_t place = ctx_.lane() % machine::WARP; place < k; place += machine::WARP) {
        uint64_t key = list[place];
        if (key <= bound_ && key != UINT64_MAX) {
          uint32_t at = atomicAdd(&count_, 1u);
          if (at < room()) {
            keys_[at] = key;
          }
        }
      }
    }
    ctx_.sync();
  }

  __device__ void order(uint32_t found, uint32_t k, uint64_t* result) {
    rank(found, [result, k](uint32_t rank, uint64_t key) {
      if (rank < k) {
        result[rank] = key;
      }
    });
    for (uint32_t i = found + ctx_.lane(); i < k; i += ctx_.lanes()) {
      result[i] = UINT64_MAX;
    }
  }

  template <class Lists>
  __device__ void mergeOneByOne(const Lists& lists, uint32_t count, uint32_t k, uint64_t* result) {
    if (ctx_.lane() < machine::WARP) {
      bool isThere = count > 0 && result == lists.at(0);
      TopK all = isThere ? TopK::resumed(result, k, ctx_.lane()) : TopK(result, k, ctx_.lane());
#pragma unroll 1
      for (uint32_t i = isThere ? 1 : 0; i < count; i++) {
        if (lists.first(i) != UINT64_MAX) {
          all.merge(lists.at(i));
        }
      }
    }
  }
};
