// Products of matrices of halves. A tile is 16 rows, which lie in shared memory, by eight columns.
//
// A lane has rows l / 4 and l / 4 + 8 and column l / 4. Of 32 elements of a row or a column it has
// the eight from 8 (l % 4) on: which ones a lane multiplies at once is that lane's affair, as a sum
// is of all. So a load of a lane is as wide as loads are.
#pragma once

#include <ringkernel/machine.cuh>

namespace machine = ringkernel::machine;

/** How many rows a tile has. */
constexpr uint32_t TILE_ROWS = 16;

/**
 * Rows of halves in shared memory. Rows r and r + 8 of a tile lie word by word beside each other,
 * since a lane multiplies both: what it loads at once is in the registers that it is multiplied
 * from. Pairs of rows are so far apart that eight lanes meet no bank twice.
 * @tparam HALVES how many a row has at most, a multiple of 32
 */
template <uint32_t HALVES>
class HalfRows {
 public:
  /** How many words two rows take. */
  static constexpr uint32_t STRIDE = HALVES + 4;

  /** How many words so many tiles take. */
  __device__ __host__ static constexpr uint32_t words(uint32_t tiles) {
    return tiles * TILE_ROWS / 2 * STRIDE;
  }

  __device__ explicit HalfRows(uint32_t* words) : words_(words) {}

  /** The first of two rows that lie beside each other. */
  __device__ uint32_t* pair(uint32_t index) const { return words_ + index * STRIDE; }

  /** A word of a row. */
  __device__ uint32_t& word(uint32_t row, uint32_t index) const {
    return pair(row / TILE_ROWS * (TILE_ROWS / 2) + row % 8)[2 * index + row / 8 % 2];
  }

 private:
  uint32_t* words_;
};

/** The sums of a lane: of each tile rows l / 4 and l / 4 + 8, and in them columns 2 (l % 4) and the
 * next. */
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
      take(tile * TILE_ROWS + lane / 4, of[tile][0], of[tile][1]);
      take(tile * TILE_ROWS + lane / 4 + 8, of[tile][2], of[tile][3]);
    }
  }
};

/**
 * What a lane has of the rows of a tile, step by step.
 * @tparam STRIDE how many words two rows take
 */
template <uint32_t STRIDE>
class TileRows {
 public:
  __device__ TileRows(const uint32_t* words, uint32_t lane)
      : at_(reinterpret_cast<const uint4*>(words + lane / 4 * STRIDE) + lane % 4 * 2) {}

  /** Multiplies a step of the rows, 32 elements of each, by that of a column. */
  template <uint32_t TILES>
  __device__ __forceinline__ void multiply(uint32_t step, uint4 column, TileSums<TILES>& even,
                                           TileSums<TILES>& odd) const {
#pragma unroll
    for (uint32_t tile = 0; tile < TILES; tile++) {
      const uint4* rows = at_ + tile * (TILE_ROWS / 2) * (STRIDE / 4) + step * STEP;
      machine::multiplyHalves(even.of[tile], rows[0], column.x, column.y);
      machine::multiplyHalves(odd.of[tile], rows[1], column.z, column.w);
    }
  }

 private:
  static constexpr uint32_t STEP = 8;

  const uint4* at_;
};

/**
 * Eight columns of a matrix as a lane has them.
 * @tparam STEPS how many times 32 elements they have
 */
template <uint32_t STEPS>
struct ColumnGroup {
  uint4 of[STEPS];

  /** @param from for each step, what each lane has; here it is this lane's */
  __device__ __forceinline__ explicit ColumnGroup(const uint4* from) {
#pragma unroll
    for (uint32_t step = 0; step < STEPS; step++) {
      of[step] = machine::loadStreamed(from + step * machine::WARP);
    }
  }
};

/** Multiplies rows by columns; called by all lanes of a warp. */
template <uint32_t TILES, uint32_t STEPS, uint32_t STRIDE>
__device__ __forceinline__ TileSums<TILES> multiplyTiles(const TileRows<STRIDE>& rows,
                                                         const ColumnGroup<STEPS>& columns) {
  // A product waits for the one before it that adds to the same sums.
  TileSums<TILES> even;
  TileSums<TILES> odd;
#pragma unroll
  for (uint32_t step = 0; step < STEPS; step++) {
    rows.multiply(step, columns.of[step], even, odd);
  }
  even.add(odd);
  return even;
}
