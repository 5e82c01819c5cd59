// Searches that several workers take part in, in the state of the handler: the worker that has the
// request describes it and calls, the others draw chunks of rows until there are none, and leave
// what they have found.
#pragma once

#include <ringkernel/machine.cuh>

#include "row_elements.cuh"
#include "top_k.cuh"
#include "vector_search_messages.cuh"

/** One search. Nobody waits for a worker that has not entered. */
struct SearchJob {
  /** How many workers can leave lists; those with greater numbers do not assist. */
  static constexpr uint32_t WORKERS = 192;

  /** Of a worker with a greater number, which leads a search. */
  static constexpr uint32_t LISTS = WORKERS + 1;

  static constexpr uint32_t MAX_ELEMENTS = 16384;
  static constexpr uint32_t MAX_CODES = 2048;

  /** What is in one line is changed by all workers. */
  alignas(128) uint32_t next;

  /** How many assistants have entered and not left, and above them whether others may enter. */
  alignas(128) uint32_t entered;

  uint32_t isTaken;

  /** Counts the searches, to tell lists of this one from those before. */
  alignas(128) uint64_t number;
  uint32_t epoch;
  /** Behind the last row. */
  uint32_t end;
  uint32_t rowsPerChunk;
  /** Which rows are searched; or the parts that are scanned: the first, and how many. */
  uint32_t shard;
  uint32_t shards;
  /** Whether rows are compared with the queries of a pass, and its number. */
  bool isScan;
  uint32_t pass;
  uint32_t limit;
  uint32_t codeCount;
  uint32_t operandCount;
  uint64_t after;

  /** The vector that is searched for, as an ElementWriter has written it. */
  alignas(128) uint4 query[MAX_ELEMENTS / 4];
  QueryScale scale;
  int32_t codes[MAX_CODES];
  int64_t operands[MAX_CODES];
  /** In which search a worker has left its list last. */
  uint64_t left[LISTS];
  uint64_t keys[LISTS][TopK::MAX];

  /** Leaves the list of a worker. */
  __device__ static uint32_t listOf(uint32_t worker) { return worker < WORKERS ? worker : WORKERS; }

  // The lists, as KeyMerge reads them.

  __device__ const uint64_t* at(uint32_t list) const { return keys[list]; }

  __device__ uint64_t first(uint32_t list) const {
    uint64_t key = keys[list][0];
    return left[list] == number ? key : UINT64_MAX;
  }

  /** Lets others enter. All that they read is written, and ordered before. */
  __device__ void open() { atomicOr(&entered, OPEN); }

  __device__ void close() { atomicAnd(&entered, ~OPEN); }

  /** Tells an assistant whether it has come in time; if so, it reads what was written before. */
  __device__ bool enter() {
    bool isOpen = (atomicAdd(&entered, 1u) & OPEN) != 0;
    if (!isOpen) {
      atomicSub(&entered, 1u);
    }
    __threadfence();
    return isOpen;
  }

  __device__ void leave() {
    __threadfence();
    atomicSub(&entered, 1u);
  }

  /** Waits until it is closed and all have left: each of them runs, and waits for nobody. */
  __device__ void awaitAll() {
    while (atomicAdd(&entered, 0u) != 0) {
      machine::pause(PAUSE_NANOS);
    }
    __threadfence();
  }

  __device__ bool tryTake() { return atomicCAS(&isTaken, 0u, 1u) == 0; }

  __device__ void giveBack() {
    __threadfence();
    atomicExch(&isTaken, 0u);
  }

 private:
  static constexpr uint32_t OPEN = 1u << 31;
  static constexpr uint32_t PAUSE_NANOS = 100;
};

struct SearchJobs {
  static constexpr uint32_t COUNT = 8;

  SearchJob all[COUNT];

  /**
   * Takes a job; called by one thread. If all are taken, it waits for one of their workers, none of
   * which waits for this one.
   */
  __device__ uint32_t take() {
    while (true) {
      for (uint32_t i = 0; i < COUNT; i++) {
        if (all[i].tryTake()) {
          return i;
        }
      }
      machine::pause(PAUSE_NANOS);
    }
  }

 private:
  static constexpr uint32_t PAUSE_NANOS = 200;
};

/** How one warp draws the chunks of a job, one ahead. */
class JobChunks {
 public:
  __device__ JobChunks(SearchJobs& jobs, unsigned long long& calls, uint32_t number, uint32_t lane)
      : job_(jobs.all[number]), calls_(calls), number_(number), lane_(lane) {
    drawAhead();
  }

  /**
   * Called by all lanes.
   * @param count how many rows it has; 0 if there are no more
   * @return the first row
   */
  __device__ uint32_t draw(uint32_t& count) {
    uint32_t drawn = __shfl_sync(machine::ALL_LANES, ahead_, 0);
    uint64_t chunk = static_cast<uint64_t>(drawn) * job_.shards + job_.shard;
    uint64_t from = chunk * job_.rowsPerChunk;
    if (from < job_.end) {
      count = job_.end - from < job_.rowsPerChunk ? job_.end - from : job_.rowsPerChunk;
      drawAhead();
    } else {
      count = 0;
      // The first that finds none closes the job_.
      if (lane_ == 0 && (drawn == 0 || from - job_.rowsPerChunk * job_.shards < job_.end)) {
        atomicAnd(&calls_, ~(1ull << number_));
        job_.close();
      }
    }
    return static_cast<uint32_t>(from);
  }

 private:
  SearchJob& job_;
  unsigned long long& calls_;
  uint32_t number_;
  uint32_t lane_;
  uint32_t ahead_ = 0;

  __device__ void drawAhead() {
    if (lane_ == 0) {
      ahead_ = atomicAdd(&job_.next, 1u);
    }
  }
};
