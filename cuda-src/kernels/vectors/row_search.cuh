// Exact search of one worker: it selects the rows that are visible and match the filter, some
// thousands at a time, and then its warps compare these with the query.
#pragma once

#include "../top_k.cuh"
#include "../vector_units.cuh"
#include "device_rows.cuh"
#include "query_tile.cuh"
#include "row_elements.cuh"
#include "row_selection.cuh"
#include "search_scratch.cuh"
#include "similarity.cuh"
#include "similarity_key.cuh"
#include "warp_sums.cuh"

/** Queries that share a pass over the rows. */
struct RowQueries {
  /** One after another; if there are several, of a multiple of four elements each. */
  const float* vectors;
  /** From 1 to QueryTile::QUERIES. */
  uint32_t count;
  /** How many rows each of them finds; limit * count is at most TopK::MAX. */
  uint32_t limit;
  /** The key that those that are found come behind. */
  uint64_t after;
};

/** @tparam Elements as what the elements of rows are kept */
template <class Elements>
class RowSearch {
 public:
  /** @param scratch the part of the worker's first warp, with those of its other warps behind */
  __device__ RowSearch(const Context& ctx, const RowSelection& selection, SearchScratch& scratch)
      : ctx_(ctx),
        selection_(selection),
        scratch_(scratch),
        first_(threadIdx.x / machine::WARP - ctx.lane() / machine::WARP) {}

  /**
   * Finds the rows that are most similar to each query among those of a shard. Shards are dealt out
   * by tiles of 32 rows.
   * @return the keys in order, as many as the limit for each query, for all threads of the worker;
   * UINT64_MAX behind the last one
   */
  __device__ const uint64_t* nearest(const RowQueries& queries, uint32_t shard, uint32_t shards) {
    bool isEuclidean = selection_.index().isEuclidean != 0;
    TopK found(scratch_.keys[first_ + warp()], queries.count * queries.limit, lane());
    pass(shard, shards, [&](uint32_t count) {
      isEuclidean ? compareAll<true>(queries, count) : compareAll<false>(queries, count);
    });
    for (uint32_t query = warp(); query < queries.count; query += warps()) {
      uint32_t list = query * queries.limit;
      TopK all = TopK::resumed(scratch_.keys[first_] + list, queries.limit, lane());
      for (uint32_t other = 1; other < warps(); other++) {
        all.merge(scratch_.keys[first_ + other] + list);
      }
    }
    ctx_.sync();
    return scratch_.keys[first_];
  }

  /**
   * Lists rows in ascending order.
   * @param from the first row that may be listed
   * @param limit at most TopK::MAX
   * @param rows where to write them, for all threads of the worker
   * @return how many were written
   */
  __device__ uint32_t list(uint32_t from, uint32_t limit, const int32_t*& rows) {
    int32_t* listed = scratch_.rows[first_];
    uint32_t count = 0;
    for (uint32_t base = from; base < selection_.end() && count < limit; base += ctx_.lanes()) {
      uint32_t row = base + ctx_.lane();
      bool holds = selection_.holds(row);
      uint32_t ballot = __ballot_sync(machine::ALL_LANES, holds);
      if (lane() == 0) {
        scratch_.counts[first_ + warp()] = __popc(ballot);
      }
      ctx_.sync();
      uint32_t place = count + __popc(ballot & ((1u << lane()) - 1));
      for (uint32_t i = 0; i < warps(); i++) {
        place += i < warp() ? scratch_.counts[first_ + i] : 0;
        count += scratch_.counts[first_ + i];
      }
      if (holds && place < limit) {
        listed[place] = static_cast<int32_t>(row);
      }
      // All have added the counts before they change.
      ctx_.sync();
    }
    rows = listed;
    return count < limit ? count : limit;
  }

 private:
  using Part = typename Elements::Part;

  const Context& ctx_;
  const RowSelection& selection_;
  SearchScratch& scratch_;
  uint32_t first_;

  __device__ uint32_t warp() const { return ctx_.lane() / machine::WARP; }
  __device__ uint32_t warps() const { return ctx_.lanes() / machine::WARP; }
  __device__ uint32_t lane() const { return ctx_.lane() % machine::WARP; }

  /**
   * Goes over the rows of a shard.
   * @param compare is called for some of them at a time, with their count, by all threads
   */
  template <class Compare>
  __device__ __forceinline__ void pass(uint32_t shard, uint32_t shards, Compare compare) {
    uint32_t tiles = (selection_.end() + machine::WARP - 1) / machine::WARP;
    uint32_t own = shard < tiles ? (tiles - shard + shards - 1) / shards : 0;
    uint32_t perPass = SearchScratch::ROWS_PER_THREAD * warps();
    for (uint32_t tile = 0; tile < own; tile += perPass) {
      compare(select(tile, own, shard, shards));
      // All have compared before others are selected.
      ctx_.sync();
    }
    ctx_.sync();
  }

  /**
   * Gathers the rows of some tiles that are to be compared, in any order.
   * @param tile the first of them, counted within the shard
   * @return how many there are
   */
  __device__ uint32_t select(uint32_t tile, uint32_t own, uint32_t shard, uint32_t shards) {
    uint32_t& count = scratch_.counts[first_];
    if (ctx_.lane() == 0) {
      count = 0;
    }
    ctx_.sync();
    int32_t* selected = scratch_.rows[first_];
#pragma unroll
    for (uint32_t i = 0; i < SearchScratch::ROWS_PER_THREAD; i++) {
      uint32_t next = tile + i * warps() + warp();
      uint32_t row = (shard + next * shards) * machine::WARP + lane();
      bool holds = next < own && selection_.holds(row);
      uint32_t ballot = __ballot_sync(machine::ALL_LANES, holds);
      uint32_t place = 0;
      if (lane() == 0 && ballot != 0) {
        place = atomicAdd(&count, __popc(ballot));
      }
      place = __shfl_sync(machine::ALL_LANES, place, 0);
      if (holds) {
        selected[place + __popc(ballot & ((1u << lane()) - 1))] = static_cast<int32_t>(row);
      }
    }
    ctx_.sync();
    return count;
  }

  template <bool EUCLIDEAN>
  __device__ void compareAll(const RowQueries& queries, uint32_t count) {
    QueryTile tile(reinterpret_cast<const float4*>(queries.vectors), queries.count,
                   unitsOf(selection_.index().dimensions), lane());
    uint32_t query = QueryTile::query(lane());
    const int32_t* selected = scratch_.rows[first_];
    for (uint32_t base = warp() * QueryTile::ROWS; base < count;
         base += warps() * QueryTile::ROWS) {
      const Part* rows[QueryTile::ROWS];
      float scales[QueryTile::ROWS];
#pragma unroll
      for (uint32_t r = 0; r < QueryTile::ROWS; r++) {
        int32_t row = selected[base + r < count ? base + r : count - 1];
        rows[r] = vectorOf(row);
        scales[r] = scaleOf(row);
      }
      uint32_t index = base + QueryTile::row(lane());
      float similarity = tile.compare<EUCLIDEAN, Elements>(rows, scales);
      bool offers = QueryTile::isFirst(lane()) && query < queries.count && index < count;
      uint64_t key = SimilarityKey::of(numbered(similarity), offers ? selected[index] : 0);
      offer(queries, query, key, offers && key > queries.after);
    }
  }

  /** Offers a key of each lane to the list of its query. */
  __device__ void offer(const RowQueries& queries, uint32_t query, uint64_t key, bool offers) {
    uint64_t* lists = scratch_.keys[first_ + warp()];
    // Soon there is none in most passes.
    bool remains = offers && key < lists[(query + 1) * queries.limit - 1];
    uint32_t remaining = __ballot_sync(machine::ALL_LANES, remains);
#pragma unroll 1
    while (remaining != 0) {
      uint32_t next = __shfl_sync(machine::ALL_LANES, query, __ffs(remaining) - 1);
      uint64_t* list = lists + next * queries.limit;
      TopK::resumed(list, queries.limit, lane()).offer(key, remains && query == next);
      remains = remains && query != next;
      remaining = __ballot_sync(machine::ALL_LANES, remains);
    }
  }

  __device__ const Part* vectorOf(int32_t row) const {
    const DeviceRows& index = selection_.index();
    return reinterpret_cast<const Part*>(
        index.blockOf(row)->vector(row % RowBlock::ROWS, index.vectorBytes<Elements>()));
  }

  __device__ float scaleOf(int32_t row) const {
    const DeviceRows& index = selection_.index();
    return Elements::IS_SCALED
               ? *index.blockOf(row)->scale(row % RowBlock::ROWS, index.vectorBytes<Elements>())
               : 1;
  }
};
