// The search for one query by all workers that have nothing else to do.
#pragma once

#include <ringkernel/ring_kernel.cuh>

#include "key_merge.cuh"
#include "row_scan.cuh"
#include "search_jobs.cuh"
#include "search_scratch.cuh"

/** The state of the handler. */
struct SearchState {
  DeviceRows rows;
  /** A bit for each job that is to be assisted. */
  unsigned long long calls;
  SearchJobs jobs;
};

class JointSearch {
 public:
  __device__ explicit JointSearch(const Context& ctx)
      : ctx_(ctx),
        state_(ctx.state<SearchState>()),
        scratch_(SearchScratch::ofBlock()),
        first_((threadIdx.x - ctx.lane()) / machine::WARP) {}

  /**
   * Describes a search or a scan that this worker has the request of, and calls others if they make
   * it sooner.
   * @param end behind the last row
   * @param after the key that those that are found come behind
   * @return the number of its job, for all threads
   */
  __device__ uint32_t begin(const VectorSearchRequest& in, uint32_t end, uint64_t after) {
    uint32_t number = agree([this] { return jobs().take(); });
    SearchJob& job = jobs().all[number];
    describe(job, in, end, after);
    ctx_.sync();
    if (ctx_.lane() == 0) {
      __threadfence();
      job.open();
      if (job.isScan ? job.shards > 1 : end / job.shards >= job.rowsPerChunk * MIN_CHUNKS) {
        atomicOr(&state_.calls, 1ull << number);
      }
    }
    // A warp that finds no chunk closes the job, which is open then.
    ctx_.sync();
    return number;
  }

  /** Enters a search of another worker; tells all threads the number of its job, or NONE. */
  __device__ uint32_t enter() {
    return agree([this] {
      uint32_t number = ctx_.worker() < SearchJob::WORKERS ? called() : NONE;
      return number != NONE && jobs().all[number].enter() ? number : NONE;
    });
  }

  /** Compares rows until there are no more, and leaves the nearest to the one who began. */
  __device__ __forceinline__ void take(uint32_t number) {
    SearchJob& job = jobs().all[number];
    scan(job, number);
    ctx_.sync();
    uint64_t* keys = scratch_.keys[first_];
    merge().merge(ListsOfWarps{scratch_.keys + first_}, ctx_.lanes() / machine::WARP, job.limit,
                  keys);
    uint32_t list = SearchJob::listOf(ctx_.worker());
    if (keys[0] != UINT64_MAX) {
      for (uint32_t i = ctx_.lane(); i < job.limit; i += ctx_.lanes()) {
        job.keys[list][i] = keys[i];
      }
      if (ctx_.lane() == 0) {
        job.left[list] = job.number;
      }
    }
    ctx_.sync();
  }

  /** What a job is about. */
  __device__ const SearchJob& job(uint32_t number) const { return jobs().all[number]; }

  /**
   * Draws a part of a scan, for all threads.
   * @return whether there was one
   */
  __device__ bool drawPart(uint32_t number, uint32_t& part) {
    SearchJob& job = jobs().all[number];
    uint32_t drawn = agree([&job] { return atomicAdd(&job.next, 1u); });
    bool isThere = drawn < job.shards;
    part = job.shard + drawn;
    if (ctx_.lane() == 0 && drawn == job.shards) {
      atomicAnd(&state_.calls, ~(1ull << number));
      job.close();
    }
    // All have read the job before this worker lets go of it, and the number before the scan counts
    // at the same place.
    ctx_.sync();
    return isThere;
  }

  /** The last that an assistant does. */
  __device__ void leave(uint32_t number) {
    if (ctx_.lane() == 0) {
      jobs().all[number].leave();
    }
  }

  /** Waits for those that have entered a scan. */
  __device__ void endScan(uint32_t number) {
    if (ctx_.lane() == 0) {
      jobs().all[number].awaitAll();
      jobs().all[number].giveBack();
    }
    ctx_.sync();
  }

  /**
   * Waits for those that have entered a search.
   * @return the keys in order, as many as the limit, for all threads; UINT64_MAX behind the last
   */
  __device__ const uint64_t* end(uint32_t number) {
    SearchJob& job = jobs().all[number];
    if (ctx_.lane() == 0) {
      job.awaitAll();
    }
    ctx_.sync();
    uint64_t* keys = scratch_.keys[first_];
    uint32_t workers = ctx_.workers() < SearchJob::WORKERS ? ctx_.workers() : SearchJob::LISTS;
    merge().merge(job, workers, job.limit, keys);
    if (ctx_.lane() == 0) {
      job.giveBack();
    }
    return keys;
  }

  static constexpr uint32_t NONE = SearchJobs::COUNT;

 private:
  /** Fewer are sooner done alone than others have come. */
  static constexpr uint32_t MIN_CHUNKS = 32;

  /** How many chunks a warp draws at least if they are small: the last of all is not busy alone. */
  static constexpr uint32_t CHUNKS_PER_WARP = 6;

  /** What each warp has found, as KeyMerge reads it. */
  struct ListsOfWarps {
    const uint64_t (*keys)[TopK::MAX];

    __device__ const uint64_t* at(uint32_t list) const { return keys[list]; }
    __device__ uint64_t first(uint32_t list) const { return keys[list][0]; }
  };

  const Context& ctx_;
  SearchState& state_;
  SearchScratch& scratch_;
  uint32_t first_;

  __device__ SearchJobs& jobs() const { return state_.jobs; }

  /** Has the first thread find out a number, and tells it all. */
  template <class Find>
  __device__ uint32_t agree(Find find) {
    uint32_t& number = scratch_.counts[first_];
    // All have read the last one.
    ctx_.sync();
    if (ctx_.lane() == 0) {
      number = find();
    }
    ctx_.sync();
    return machine::peek(number);
  }

  /** A job that is to be assisted, or NONE: workers with different numbers begin with others. */
  __device__ uint32_t called() const {
    uint64_t open = machine::loadDevice(&state_.calls);
    uint32_t from = ctx_.worker() % SearchJobs::COUNT;
    uint32_t all = static_cast<uint32_t>(open | open << SearchJobs::COUNT) >> from;
    return open == 0 ? NONE : (__ffs(static_cast<int>(all)) - 1 + from) % SearchJobs::COUNT;
  }

  __device__ KeyMerge merge() const { return KeyMerge(ctx_, scratch_.merge, first_); }

  /**
   * A filter leaves out most rows of a chunk.
   * @param group how many rows a warp compares at once
   */
  __device__ uint32_t rowsPerChunk(uint32_t end, bool isFiltered, uint32_t group) const {
    uint32_t warps = ctx_.workers() * (ctx_.lanes() / machine::WARP);
    uint32_t rows = end / (warps * CHUNKS_PER_WARP) / group * group;
    return isFiltered || rows > machine::WARP ? machine::WARP : rows < group ? group : rows;
  }

  __device__ void describe(SearchJob& job, const VectorSearchRequest& in, uint32_t end,
                           uint64_t after) {
    uint32_t group = 0;
    withElements(state_.rows.elementType, [&](auto elements) {
      using Elements = decltype(elements);
      group = Elements::ROWS_AT_ONCE * machine::WARP / Elements::LANES_PER_ROW;
      if (ctx_.lane() < machine::WARP && in.operation == SearchOperation::QUERY) {
        QueryScale scale = ElementWriter<Elements>(in.vectors.size(), ctx_.lane())
                               .writeQuery(in.vectors.data(), job.query);
        if (ctx_.lane() == 0) {
          job.scale = scale;
        }
      }
    });
    for (uint32_t i = ctx_.lane(); i < in.codes.size(); i += ctx_.lanes()) {
      job.codes[i] = in.codes[i];
    }
    for (uint32_t i = ctx_.lane(); i < in.operands.size(); i += ctx_.lanes()) {
      job.operands[i] = in.operands[i];
    }
    if (ctx_.lane() == 0) {
      job.next = 0;
      job.number++;
      job.after = after;
      job.epoch = in.epoch;
      job.end = end;
      job.rowsPerChunk = rowsPerChunk(end, in.codes.size() > 0, group);
      job.shard = in.shard;
      job.shards = in.shards;
      job.isScan = in.operation == SearchOperation::SCAN;
      job.pass = job.isScan ? in.rows[0] : 0;
      job.limit = in.limit;
      job.codeCount = in.codes.size();
      job.operandCount = in.operands.size();
    }
  }

  __device__ __forceinline__ void scan(const SearchJob& job, uint32_t number) {
    uint32_t lane = ctx_.lane() % machine::WARP;
    uint32_t warp = first_ + ctx_.lane() / machine::WARP;
    JobChunks chunks(jobs(), state_.calls, number, lane);
    TopK found(scratch_.keys[warp], job.limit, lane);
    withElements(state_.rows.elementType, [&](auto elements) {
      RowScan<decltype(elements)>(state_.rows, job, chunks, scratch_.queues[warp], lane)
          .scan(found);
    });
  }
};
