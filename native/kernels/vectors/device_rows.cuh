// The rows of a vector store in memory of the device: blocks of rows, which the host attaches as
// they are needed and which never move. io.ringkernel.spring.ai.search.DeviceRows knows their size.
#pragma once

#include <ringkernel/machine.cuh>

#include "query_pass.cuh"
#include "row_elements.cuh"
#include "shared_lock.cuh"
#include "vector_units.cuh"

/**
 * The beginning of a block's memory; its vectors follow, and then the scale of each. Searches read
 * beside a writer: of a row that is not visible to them they read its life alone, which is one
 * word.
 */
class RowBlock {
 public:
  static constexpr uint32_t ROWS = 4096;
  static constexpr uint32_t COLUMNS = 256;

  /** What a cell without a value holds: below every range. */
  static constexpr int64_t ABSENT = INT64_MIN;

  __device__ static uint64_t bytes(uint32_t vectorBytes) {
    return sizeof(RowBlock) + static_cast<uint64_t>(vectorBytes + sizeof(float)) * ROWS;
  }

  __device__ uint8_t* vector(uint32_t row, uint32_t vectorBytes) {
    return reinterpret_cast<uint8_t*>(this + 1) + static_cast<uint64_t>(row) * vectorBytes;
  }

  /** What the elements of a row are multiples of. */
  __device__ float* scale(uint32_t row, uint32_t vectorBytes) {
    return reinterpret_cast<float*>(vector(ROWS, vectorBytes)) + row;
  }

  /** No row was ever staged; called by all threads of a worker, each with its number. */
  __device__ void clear(uint32_t thread, uint32_t threads) {
    for (uint32_t i = thread; i < ROWS; i += threads) {
      lives_[i] = 0;
    }
    for (uint32_t i = thread; i < COLUMNS; i += threads) {
      columns_[i] = nullptr;
    }
  }

  __device__ void attach(uint32_t column, int64_t* cells) { columns_[column] = cells; }

  /** The cells of a column, or null if it has none. */
  __device__ int64_t* cells(uint32_t column) const { return columns_[column]; }

  /** @param epoch the first one that sees the row */
  __device__ void stage(uint32_t row, uint32_t epoch) { setLife(row, epoch, NEVER); }

  /** @param epoch the first one that sees the row no more */
  __device__ void retire(uint32_t row, uint32_t epoch) {
    setLife(row, static_cast<uint32_t>(life(row) >> 32), epoch);
  }

  __device__ bool isVisible(uint32_t row, uint32_t epoch) const { return sees(epoch, life(row)); }

  /** When a row is visible. */
  __device__ uint64_t life(uint32_t row) const {
    return ringkernel::machine::loadDevice(&lives_[row]);
  }

  /** Whether an epoch sees rows of a life. */
  __device__ static bool sees(uint32_t epoch, uint64_t life) {
    return static_cast<uint32_t>(life >> 32) <= epoch && epoch < static_cast<uint32_t>(life);
  }

 private:
  /** Epochs end before. */
  static constexpr uint32_t NEVER = 0x7fffffff;

  int64_t* columns_[COLUMNS];

  /** The epoch that stages a row above the one that retires it. */
  unsigned long long lives_[ROWS];

  __device__ void setLife(uint32_t row, uint32_t staged, uint32_t retired) {
    atomicExch(&lives_[row], static_cast<unsigned long long>(staged) << 32 | retired);
  }
};

static_assert(sizeof(RowBlock) == 256 * 8 + 4096 * 8, "DeviceRows.blockBytes");

/**
 * The state of the handler. It is zero at first, which is no incarnation of the index: the host
 * then begins one.
 */
struct DeviceRows {
  static constexpr uint32_t MAX_BLOCKS = 32768;

  /** Held alone by what replaces memory that others may use: no handler uses it after. */
  SharedLock lock;
  uint32_t isEuclidean;
  uint32_t dimensions;
  /** As what the elements of all vectors are kept. */
  ElementType elementType;
  /** Behind the last row that was ever staged. */
  uint32_t rows;
  int64_t incarnation;
  /** The bits of the most that the squares of any row add up to, which is a float. */
  uint32_t squares;
  QueryPass* passes[QueryPass::SLOTS];
  RowBlock* blocks[MAX_BLOCKS];

  /** How large a vector is that is kept so. */
  template <class Elements>
  __device__ uint32_t vectorBytes() const {
    return loadsOf<Elements>() * sizeof(uint4);
  }

  /** How many times a lane loads of a vector. */
  template <class Elements>
  __device__ uint32_t loadsOf() const {
    return (dimensions + Elements::PER_LOAD - 1) / Elements::PER_LOAD;
  }

  /** The block of a row, or null if it has not been attached. */
  __device__ RowBlock* blockOf(uint32_t row) const {
    uint32_t block = row / RowBlock::ROWS;
    return block < MAX_BLOCKS ? blocks[block] : nullptr;
  }
};
