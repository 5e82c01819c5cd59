// The nearest rows of each query of a pass, as far as a worker has seen: a list for each, which its
// warps take turns with.
#pragma once

#include <ringkernel/machine.cuh>

#include "approximate_tile.cuh"
#include "similarity_key.cuh"
#include "top_k.cuh"

namespace machine = ringkernel::machine;

class NearestLists {
 public:
  /** What a worker shares beside the keys, a part for each of its warps. */
  struct Scratch {
    static constexpr uint32_t QUERIES = 16;

    uint32_t locks[QUERIES];
    /** What is not more similar is in no list. */
    float worst[QUERIES];
    /** What a distance subtracts, as a multiple of the squares of a row; 0 for a product. */
    float halves[QUERIES];
  };

  /**
   * @param keys kept * queries keys in shared memory
   * @param warps of the worker; queries <= Scratch::QUERIES * warps
   */
  __device__ NearestLists(uint64_t* keys, Scratch* scratch, uint32_t queries, uint32_t kept)
      : keys_(keys), scratch_(scratch), queries_(queries), kept_(kept) {}

  /**
   * Called by all threads of the worker, which then synchronize.
   * @param half(query) what a distance subtracts
   */
  template <class Half>
  __device__ void clear(uint32_t thread, uint32_t threads, Half half) {
    for (uint32_t i = thread; i < queries_ * kept_; i += threads) {
      keys_[i] = UINT64_MAX;
    }
    for (uint32_t i = thread; i < threads / machine::WARP * Scratch::QUERIES; i += threads) {
      bool isQuery = i < queries_;
      lock(i) = 0;
      worst(i) = __uint_as_float(isQuery ? 0xff800000 : 0x7f800000);
      halfOf(i) = isQuery ? half(i) : 0;
    }
  }

  /** Has nothing less similar offered any more; called by one thread at a time for a query. */
  __device__ void require(uint32_t query, float least) {
    if (least > machine::peek(worst(query))) {
      machine::poke(worst(query), least);
    }
  }

  /**
   * The upper half of the key of the row that is most similar to each query, of all rows of a tile;
   * called by all lanes of a warp.
   * @param first for each query
   */
  template <class Elements>
  __device__ void first(const ApproximateTile<Elements>& tile, const int32_t (&rows)[2],
                        const float (&scales)[2], uint32_t lane, int32_t* first) {
#pragma unroll
    for (uint32_t column = 0; column < COLUMNS; column++) {
      uint32_t query = ApproximateTile<Elements>::query(lane, column);
      float half = halfOf(query);
      uint32_t keys[2];
#pragma unroll
      for (uint32_t i = 0; i < 2; i++) {
        uint64_t key = SimilarityKey::of(similarity(tile, column, i, scales, half), 0);
        keys[i] = rows[i] >= 0 ? static_cast<uint32_t>(key >> 32) : UINT32_MAX;
      }
      uint32_t least = keys[0] < keys[1] ? keys[0] : keys[1];
#pragma unroll
      for (uint32_t mask = 4; mask < machine::WARP; mask *= 2) {
        uint32_t other = __shfl_xor_sync(machine::ALL_LANES, least, mask);
        least = other < least ? other : least;
      }
      if (lane < 4 && query < queries_) {
        first[query] = static_cast<int32_t>(least);
      }
    }
  }

  /**
   * Offers the rows of a tile; called by all lanes of a warp.
   * @param rows of this lane; -1 is none
   * @param scales what the products of each are multiples of
   * @param told(query, key) is told of the first key of a query if that changes, by one lane
   */
  template <class Elements, class Told>
  __device__ void offer(const ApproximateTile<Elements>& tile, const int32_t (&rows)[2],
                        const float (&scales)[2], uint32_t lane, Told told) {
    uint32_t columns = 0;
#pragma unroll
    for (uint32_t column = 0; column < COLUMNS; column++) {
      if (column / 2 * 8 < queries_) {
        uint32_t query = ApproximateTile<Elements>::query(lane, column);
        float least = machine::peek(worst(query));
        float half = halfOf(query);
        bool isNearer = (rows[0] >= 0 && similarity(tile, column, 0, scales, half) > least) ||
                        (rows[1] >= 0 && similarity(tile, column, 1, scales, half) > least);
        columns |= __any_sync(machine::ALL_LANES, isNearer) ? 1u << column : 0;
      }
    }
#pragma unroll 1
    for (; columns != 0; columns &= columns - 1) {
      uint32_t column = __ffs(columns) - 1;
      uint32_t query = ApproximateTile<Elements>::query(lane, column);
      float half = halfOf(query);
      uint64_t keys[2];
#pragma unroll
      for (uint32_t i = 0; i < 2; i++) {
        float product = 0;
        // An index that is not a constant would take local memory.
#pragma unroll
        for (uint32_t c = 0; c < COLUMNS; c++) {
          product = c == column ? similarity(tile, c, i, scales, half) : product;
        }
        keys[i] = rows[i] >= 0 ? SimilarityKey::of(product, rows[i]) : UINT64_MAX;
      }
      insert(query, keys, lane, told);
    }
  }

 private:
  static constexpr uint32_t COLUMNS = 16;

  uint64_t* keys_;
  Scratch* scratch_;
  uint32_t queries_;
  uint32_t kept_;

  __device__ uint32_t& lock(uint32_t query) const {
    return of(query).locks[query % Scratch::QUERIES];
  }
  __device__ float& worst(uint32_t query) const {
    return of(query).worst[query % Scratch::QUERIES];
  }
  __device__ float& halfOf(uint32_t query) const {
    return of(query).halves[query % Scratch::QUERIES];
  }
  __device__ Scratch& of(uint32_t query) const {
    return scratch_[query / Scratch::QUERIES];
  }

  template <class Elements>
  __device__ static float similarity(const ApproximateTile<Elements>& tile, uint32_t column,
                                     uint32_t i, const float (&scales)[2], float half) {
    float product = tile.product(column, i) * scales[i];
    return fmaf(-half, tile.squares(i) * scales[i] * scales[i], product);
  }

  /** Takes the keys of the lanes that have the same query, one query after another. */
  template <class Told>
  __device__ void insert(uint32_t query, const uint64_t (&keys)[2], uint32_t lane, Told told) {
    bool remains = query < queries_;
    if (remains) {
      uint64_t last = machine::peek(keys_[query * kept_ + kept_ - 1]);
      remains = keys[0] < last || keys[1] < last;
    }
    uint32_t remaining = __ballot_sync(machine::ALL_LANES, remains);
#pragma unroll 1
    while (remaining != 0) {
      uint32_t next = __shfl_sync(machine::ALL_LANES, query, __ffs(remaining) - 1);
      if (lane == 0) {
        while (atomicCAS(&lock(next), 0u, 1u) != 0) {
          machine::pause(PAUSE_NANOS);
        }
        __threadfence_block();
      }
      __syncwarp();
      uint64_t* list = keys_ + next * kept_;
      uint64_t first = list[0];
      TopK nearest = TopK::resumed(list, kept_, lane);
#pragma unroll 1
      for (uint32_t i = 0; i < 2; i++) {
        nearest.offer(i == 0 ? keys[0] : keys[1], query == next);
      }
      if (lane == 0) {
        if (nearest.worst() != UINT64_MAX) {
          require(next, SimilarityKey::similarity(nearest.worst()));
        }
        if (list[0] != first) {
          told(next, list[0]);
        }
        __threadfence_block();
        atomicExch(&lock(next), 0u);
      }
      remains = remains && query != next;
      remaining = __ballot_sync(machine::ALL_LANES, remains);
    }
  }

  static constexpr uint32_t PAUSE_NANOS = 20;
};
