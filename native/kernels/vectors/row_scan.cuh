// What one warp does in the search for one query: it draws chunks of rows, queues those that are to
// be compared, and compares some while the next ones are read. It always has rows on their way: it
// fills one half of its queue while it compares those of the other half.
#pragma once

#include <ringkernel/machine.cuh>

#include "row_elements.cuh"
#include "row_filter.cuh"
#include "search_jobs.cuh"
#include "similarity_key.cuh"
#include "top_k.cuh"

namespace machine = ringkernel::machine;

/** A row that is to be compared. */
struct alignas(16) QueuedRow {
  const uint4* vector;
  /** Or -1, where a row is read for the sake of others alone. */
  int32_t row;
  float scale;
};

/** The rows of a warp, in shared memory. */
struct RowQueue {
  /** Of one half: those of the other one are on their way, or are compared. */
  static constexpr uint32_t HALF = machine::WARP;

  QueuedRow rows[2 * HALF];
};

/**
 * Called by all lanes of a warp.
 *
 * @tparam Elements as what the elements of rows are kept
 */
template <class Elements>
class RowScan {
 public:
  __device__ RowScan(const DeviceRows& index, const SearchJob& job, JobChunks& chunks,
                     RowQueue& queue, uint32_t lane)
      : index_(index),
        job_(job),
        chunks_(chunks),
        queue_(queue),
        lane_(lane),
        loads_(index.loadsOf<Elements>()),
        isEuclidean_(index.isEuclidean != 0) {}

  /** Offers every row that is selected. */
  __device__ __forceinline__ void scan(TopK& found) {
    drawAhead();
    Batch first{};
    Batch second;
    Sums sums;
    first.group = BEFORE;
#pragma unroll 1
    while (true) {
      fetch(second);
      if (!compare(first, sums, found)) {
        break;
      }
      fetch(first);
      if (!compare(second, sums, found)) {
        break;
      }
    }
  }

 private:
  static constexpr uint32_t LANES = Elements::LANES_PER_ROW;
  static constexpr uint32_t ROWS = Elements::ROWS_AT_ONCE;
  /** How many rows a warp compares at a time. */
  static constexpr uint32_t GROUP = ROWS * machine::WARP / LANES;

  static_assert(RowQueue::HALF % GROUP == 0, "a half of the queue has groups alone");

  /** No row of the queue: there are no more, or none was read yet. */
  static constexpr uint32_t NONE = 2 * RowQueue::HALF;
  static constexpr uint32_t BEFORE = NONE + 1;

  using Sums = typename Elements::template Sums<ROWS>;

  /** What is read at once of the rows of a group. */
  struct Batch {
    uint4 read[ROWS];
    /** Which loads of a vector they are: this one of the first of its lanes. */
    uint32_t from;
    /** The first row of the group in the queue, or NONE, or BEFORE. */
    uint32_t group;
  };

  const DeviceRows& index_;
  const SearchJob& job_;
  JobChunks& chunks_;
  RowQueue& queue_;
  uint32_t lane_;
  uint32_t loads_;
  bool isEuclidean_;
  /** How many rows the chunk has that is queued next; of this lane's, when it is visible. */
  uint32_t aheadCount_ = 0;
  uint32_t ahead_ = 0;
  uint64_t aheadLife_ = 0;
  float aheadScale_ = 1;
  /** Which rows of the chunk are still to be queued, once that is known. */
  uint32_t aheadHeld_ = 0;
  bool isHeldKnown_ = false;

  /** Behind the last row of the half that is read. */
  uint32_t queued_ = 0;
  /** What is read next. */
  uint32_t from_ = 0;
  uint32_t group_ = 0;

  __device__ uint32_t sub() const {
    return lane_ % LANES;
  }

  /** The rows that this lane reads are beside each other. */
  __device__ const QueuedRow* rows(uint32_t group) const {
    return queue_.rows + group + lane_ / LANES * ROWS;
  }

  /** Draws the next chunk; what is read of its rows is on its way while this one is compared. */
  __device__ __forceinline__ void drawAhead() {
    ahead_ = chunks_.draw(aheadCount_) + lane_;
    RowBlock* block = lane_ < aheadCount_ ? index_.blockOf(ahead_) : nullptr;
    // No epoch sees a life of zero.
    uint32_t place = ahead_ % RowBlock::ROWS;
    aheadLife_ = block != nullptr ? block->life(place) : 0;
    if (Elements::IS_SCALED && block != nullptr) {
      aheadScale_ = *block->scale(place, index_.vectorBytes<Elements>());
    }
    isHeldKnown_ = false;
  }

  /**
   * Queues whole groups in a half of the queue, and other than these only with the last rows: a
   * small chunk is compared as soon as it is one. The batch that is on its way is of the other
   * half; all those before were compared.
   */
  __device__ __forceinline__ void fill() {
    group_ = group_ > 0 && group_ <= RowQueue::HALF ? RowQueue::HALF : 0;
    queued_ = group_;
    uint32_t end = group_ + RowQueue::HALF;
    // All have read what is overwritten.
    __syncwarp();
#pragma unroll 1
    while (aheadCount_ > 0 && queued_ < end && (queued_ == group_ || queued_ % GROUP != 0)) {
      if (!isHeldKnown_) {
        aheadHeld_ = __ballot_sync(machine::ALL_LANES, isHeld());
        isHeldKnown_ = true;
      }
      uint32_t place = queued_ + __popc(aheadHeld_ & ((1u << lane_) - 1));
      bool isQueued = (aheadHeld_ >> lane_ & 1) != 0 && place < end;
      if (isQueued) {
        queue_.rows[place] = QueuedRow{vectorOf(ahead_), static_cast<int32_t>(ahead_), aheadScale_};
      }
      uint32_t ballot = __ballot_sync(machine::ALL_LANES, isQueued);
      queued_ += __popc(ballot);
      aheadHeld_ &= ~ballot;
      if (aheadHeld_ == 0) {
        drawAhead();
      }
    }
    __syncwarp();
    // The last row of all is read once more, which costs less than to ask at each read.
    uint32_t padding = queued_ + lane_;
    if (padding < (queued_ + GROUP - 1) / GROUP * GROUP) {
      queue_.rows[padding] = QueuedRow{queue_.rows[queued_ - 1].vector, -1, 0};
    }
    __syncwarp();
  }

  /** Whether the row of this lane, of the chunk ahead, is to be compared. */
  __device__ bool isHeld() const {
    // What describes the search is read anew: registers are for rows.
    RowFilter filter(job_.codes, job_.codeCount, job_.operands, job_.operandCount);
    return RowBlock::sees(job_.epoch, aheadLife_) &&
           filter.matches(*index_.blockOf(ahead_), ahead_ % RowBlock::ROWS);
  }

  __device__ const uint4* vectorOf(uint32_t row) const {
    return reinterpret_cast<const uint4*>(
        index_.blockOf(row)->vector(row % RowBlock::ROWS, index_.vectorBytes<Elements>()));
  }

  /** Begins to read what comes next, if there is anything. */
  __device__ __forceinline__ void fetch(Batch& batch) {
    if (group_ >= queued_) {
      fill();
    }
    batch.from = from_;
    batch.group = group_ < queued_ ? group_ : NONE;
    bool isThere = group_ < queued_ && from_ + sub() < loads_;
#pragma unroll
    for (uint32_t r = 0; r < ROWS; r++) {
      batch.read[r] =
          isThere ? machine::loadStreamed(rows(group_)[r].vector + from_ + sub()) : uint4{};
    }
    from_ += LANES;
    if (from_ >= loads_) {
      from_ = 0;
      group_ += GROUP;
    }
  }

  /** Adds what was read; tells whether there is more. */
  __device__ __forceinline__ bool compare(const Batch& batch, Sums& sums, TopK& found) {
    if (batch.group >= NONE) {
      return batch.group == BEFORE;
    }
    if (batch.from + sub() < loads_) {
      sums.add(batch.read, job_.query + (batch.from + sub()) * Elements::QUERY_UNITS, isEuclidean_);
    }
    if (batch.from + LANES >= loads_) {
      QueuedRow own = rows(batch.group)[Sums::Lanes::place(lane_)];
      float similarity = sums.similarity(lane_, own.scale, job_.scale, isEuclidean_);
      uint64_t key = SimilarityKey::of(similarity, own.row);
      bool isWanted = own.row >= 0 && key > job_.after;
      found.offer(key, isWanted && Sums::Lanes::isFirst(lane_));
    }
    return true;
  }
};
