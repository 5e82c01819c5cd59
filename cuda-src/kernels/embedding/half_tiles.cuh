// Products of matrices of halves. A tile is 16 rows, which lie in shared memory, by eight columns.
//
// A lane has rows l / 4 and l / 4 + 8 and column l / 4. Of 32 elements of a row or a column it has
// the eight from 8 (l % 4) on: which ones a lane multiplies in one step is that lane's affair, as a
// sum is of all. So one load of a lane is as wide as loads are.
#pragma once

#include <ringkernel/machine.cuh>

namespace machine = ringkernel::machine;

/** Rows of halves in shared memory, so far apart that lanes of two rows meet no bank twice. */
class HalfRows {
 public:
  static constexpr uint32_t TILE = 16;

  /** How many words a row takes that has so many halves, a multiple of 32. */
  __device__ __host__ static constexpr uint32_t stride(uint32_t halves) {
    return halves / 2 % 32 == 16 ? halves / 2 : halves / 2 + 16;
  }

  __device__ HalfRows(uint32_t* words, uint32_t halves) : words_(words), stride_(stride(halves)) {}

  __device__ uint32_t* row(uint32_t index) const { return words_ + index * stride_; }

  /** Four steps of a lane. */
  __device__ uint4 load(uint32_t row, uint32_t group, uint32_t lane) const {
    return *reinterpret_cast<const uint4*>(words_ + row * stride_ + group * 16 + lane % 4 * 4);
  }

 private:
  uint32_t* words_;
  uint32_t stride_;
};

/** The sums of a lane: of each tile rows l / 4 and l / 4 + 8, and in them columns 2 (l % 4) and the next. */
template <uint32_t TILES>
struct TileSums {
  float of[TILES][4] = {};

  __device__ __forceinline__ void add(const TileSums& other) {
#pragma unroll
    for (uint32_t tile = 0; tile < TILES; tile++) {
#pragma unroll
      for (uint32_t i = 0; i < 4; i++) {
        of[tile][i] += other.of[tile][i];
      }
    }
  }

  /** Hands each pair of neighbours to a function: its row, and the two. */
  template <class Take>
  __device__ __forceinline__ void each(uint32_t lane, Take take) const {
#pragma unroll
    for (uint32_t tile = 0; tile < TILES; tile++) {
      take(tile * HalfRows::TILE + lane / 4, of[tile][0], of[tile][1]);
      take(tile * HalfRows::TILE + lane / 4 + 8, of[tile][2], of[tile][3]);
    }
  }
};

/**
 * Multiplies rows by groups of eight columns; called by all lanes of a warp.
 * @tparam STEPS how many loads of each group are under way at once
 * @param columns the groups, one behind the other: for each 32 elements, what each lane has
 * @param steps how many times 32 elements there are
 */
template <uint32_t TILES, uint32_t GROUPS, uint32_t STEPS>
__device__ __forceinline__ void multiplyTiles(const HalfRows& rows, const uint4* columns, uint32_t steps,
                                              uint32_t lane, TileSums<TILES> (&sums)[GROUPS]) {
  // A product waits for the one before it that adds to the same sums.
  TileSums<TILES> odd[GROUPS];
#pragma unroll 1
  for (uint32_t from = 0; from < steps; from += STEPS) {
    uint4 column[STEPS][GROUPS];
#pragma unroll
    for (uint32_t step = 0; step < STEPS; step++) {
#pragma unroll
      for (uint32_t group = 0; group < GROUPS; group++) {
        if (from + step < steps) {
          column[step][group] =
              machine::loadStreamed(columns + (group * steps + from + step) * machine::WARP + lane);
        }
      }
    }
#pragma unroll
    for (uint32_t step = 0; step < STEPS; step++) {
      if (from + step < steps) {
#pragma unroll
        for (uint32_t tile = 0; tile < TILES; tile++) {
          uint4 first = rows.load(tile * HalfRows::TILE + lane / 4, from + step, lane);
          uint4 second = rows.load(tile * HalfRows::TILE + lane / 4 + 8, from + step, lane);
#pragma unroll
          for (uint32_t group = 0; group < GROUPS; group++) {
            uint4 word = column[step][group];
            machine::multiplyHalves(sums[group].of[tile], first.x, second.x, word.x);
            machine::multiplyHalves(odd[group].of[tile], first.y, second.y, word.y);
            machine::multiplyHalves(sums[group].of[tile], first.z, second.z, word.z);
            machine::multiplyHalves(odd[group].of[tile], first.w, second.w, word.w);
          }
        }
      }
    }
  }
#pragma unroll
  for (uint32_t group = 0; group < GROUPS; group++) {
    sums[group].add(odd[group]);
  }
}
