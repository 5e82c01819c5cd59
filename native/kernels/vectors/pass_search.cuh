// What a worker does for a pass: it multiplies the rows of a shard with all queries, and later
// finds the nearest rows of one query among those that all workers have kept.
#pragma once

#include "nearest_lists.cuh"
#include "query_pass.cuh"
#include "row_selection.cuh"
#include "search_scratch.cuh"

/** @tparam Elements as what the elements of rows are kept */
template <class Elements>
class PassSearch {
 public:
  /** @param scratch the part of the worker's first warp, with those of its other warps behind */
  __device__ PassSearch(const Context& ctx, const RowSelection& selection, SearchScratch& scratch,
                        QueryPass& pass)
      : ctx_(ctx),
        selection_(selection),
        scratch_(scratch),
        pass_(pass),
        first_(threadIdx.x / machine::WARP - ctx.lane() / machine::WARP) {}

  /** Whether the worker can keep so much. */
  __device__ bool hasRoom() const {
    return pass_.count <= NearestLists::Scratch::QUERIES * warps() &&
           pass_.count * pass_.kept <= TopK::MAX * warps();
  }

  /**
   * Keeps the nearest rows of a shard for each query. First some rows tell, together with those of
   * other workers, how near the nearest are at least: then few of the others are worth a look. A
   * function of its own, as the products of a tile take all registers.
   */
  __device__ __noinline__ void scan(uint32_t shard) {
    bool isEuclidean = selection_.index().isEuclidean != 0;
    uint64_t* keys = scratch_.keys[first_];
    NearestLists lists(keys, scratch_.lists + first_, pass_.count, pass_.kept);
    lists.clear(ctx_.lane(), ctx_.lanes(),
                [&](uint32_t query) { return pass_.half(query, isEuclidean); });
    for (uint32_t query = lane(); query < pass_.count; query += machine::WARP) {
      sampled()[query] = -1;
    }
#pragma unroll 1
    for (uint32_t isSample = 1; isSample < 2; isSample--) {
      if (ctx_.lane() == 0) {
        scratch_.counts[first_] = 0;
      }
      ctx_.sync();
      multiply(shard, lists, isSample != 0);
      if (isSample != 0) {
        ctx_.sync();
        tell(shard);
        require(shard, lists);
      }
    }
    ctx_.sync();
    for (uint32_t i = ctx_.lane(); i < pass_.count * pass_.kept; i += ctx_.lanes()) {
      pass_.keys[shard][i] = keys[i];
    }
    if (ctx_.lane() == 0) {
      pass_.scanned[shard] = pass_.id;
    }
  }

  /** Whether all shards have been scanned; the same for all threads. */
  __device__ bool isScanned() const {
    bool isMissing = false;
    for (uint32_t shard = lane(); shard < pass_.shards; shard += machine::WARP) {
      isMissing = isMissing || pass_.scanned[shard] != pass_.id;
    }
    return !__any_sync(machine::ALL_LANES, isMissing);
  }

  /**
   * Finds the rows that are nearest to a query, exactly.
   * @return the keys in order, or null if another row may be among them; the same for all threads
   */
  __device__ __noinline__ const uint64_t* nearest(uint32_t query) {
    float error = pass_.template error<Elements>(query, selection_.index().dimensions,
                                                 selection_.index().isEuclidean != 0);
    uint32_t limit = pass_.limit;
    TopK kept(scratch_.keys[first_ + warp()], limit, lane());
    for (uint32_t shard = warp(); shard < pass_.shards; shard += warps()) {
      for (uint32_t i = 0; i < pass_.kept; i += machine::WARP) {
        bool isKey = i + lane() < pass_.kept;
        kept.offer(isKey ? key(shard, query, i + lane()) : 0, isKey);
      }
    }
    uint64_t last = merge()[limit - 1];
    // A row that is less similar is so exactly, too, than as many as are wanted.
    float least = last == UINT64_MAX ? __uint_as_float(0xff800000)
                                     : SimilarityKey::similarity(last) - 2 * error;
    uint32_t count;
    bool isComplete = gather(query, least, count) && error < __uint_as_float(0x7f800000);
    if (!isComplete) {
      return nullptr;
    }
    compare(pass_.exactQuery(query, selection_.index().dimensions), pass_.scaled[query].exact,
            count);
    return merge();
  }

 private:
  using Tile = ApproximateTile<Elements>;

  /** The rows that a warp takes from its shard at once: half of what shards are dealt out by. */
  static constexpr uint32_t DRAWN = machine::WARP / 2;
  static constexpr uint32_t DRAWS_PER_TILE = machine::WARP / DRAWN;

  /** What a warp queues at most; the rest of its rows in the scratch is for what it has sampled. */
  static constexpr uint32_t QUEUE = DRAWN + Tile::ROWS;

  static_assert(QUEUE + QueryPass::MAX_QUERIES <= SearchScratch::ROWS_PER_WARP);

  /** Keys that a lane looks at: of other workers, and of a warp of its own. */
  static constexpr uint32_t SOURCES = QueryPass::TELLING / machine::WARP + 1;

  /** Of keys that are looked at: a float has 9 bits before its fraction. */
  static constexpr uint32_t LEAST_BIT = 1u << 9;

  const Context& ctx_;
  const RowSelection& selection_;
  SearchScratch& scratch_;
  QueryPass& pass_;
  uint32_t first_;

  __device__ uint32_t warp() const {
    return ctx_.lane() / machine::WARP;
  }
  __device__ uint32_t warps() const {
    return ctx_.lanes() / machine::WARP;
  }
  __device__ uint32_t lane() const {
    return ctx_.lane() % machine::WARP;
  }

  __device__ uint64_t key(uint32_t shard, uint32_t query, uint32_t i) const {
    return pass_.keys[shard][query * pass_.kept + i];
  }

  /** The upper halves of the keys that a warp has sampled first, for each query. */
  __device__ int32_t* sampled(uint32_t warp) const {
    return scratch_.rows[first_ + warp] + QUEUE;
  }

  __device__ int32_t* sampled() const {
    return sampled(warp());
  }

  /** Tells the other workers of the sample. */
  __device__ void tell(uint32_t shard) {
    for (uint32_t query = ctx_.lane(); query < pass_.count; query += ctx_.lanes()) {
      uint32_t first = UINT32_MAX;
      for (uint32_t i = 0; i < warps(); i++) {
        auto own = static_cast<uint32_t>(sampled(i)[query]);
        first = own < first ? own : first;
      }
      tell(shard, query, static_cast<uint64_t>(first) << 32);
    }
  }

  __device__ void tell(uint32_t shard, uint32_t query, uint64_t key) {
    if (shard < QueryPass::TELLING) {
      atomicExch(&pass_.nearest[query][shard], key);
    }
  }

  /**
   * As many rows as are wanted are so near already, each in a worker or a warp of its own: what is
   * less similar by more than twice the error is not among the nearest. Each warp has queries of
   * its own.
   */
  __device__ void require(uint32_t shard, NearestLists& lists) {
#pragma unroll 1
    for (uint32_t query = warp(); query < pass_.count; query += warps()) {
      uint32_t keys[SOURCES];
#pragma unroll
      for (uint32_t i = 0; i < SOURCES - 1; i++) {
        uint32_t other = i * machine::WARP + lane();
        keys[i] = other != shard && other < pass_.shards
                      ? machine::loadDevice(&pass_.nearest[query][other]) >> 32
                      : UINT32_MAX;
      }
      keys[SOURCES - 1] =
          lane() < warps() ? static_cast<uint32_t>(sampled(lane())[query]) : UINT32_MAX;
      uint32_t key = place(keys, pass_.limit);
      if (lane() == 0 && key != UINT32_MAX) {
        float error = pass_.template error<Elements>(query, selection_.index().dimensions,
                                                     selection_.index().isEuclidean != 0);
        float similarity = SimilarityKey::similarity(static_cast<uint64_t>(key) << 32);
        lists.require(query, similarity - 2.001f * error);
      }
    }
  }

  /** A number that so many keys of all lanes are not greater than; UINT32_MAX if there is none. */
  __device__ static uint32_t place(const uint32_t (&keys)[SOURCES], uint32_t count) {
    uint32_t bound = UINT32_MAX;
#pragma unroll 1
    for (uint32_t bit = 1u << 31; bit >= LEAST_BIT; bit /= 2) {
      uint32_t smaller = bound ^ bit;
      uint32_t held = 0;
#pragma unroll
      for (uint32_t key : keys) {
        held += __popc(__ballot_sync(machine::ALL_LANES, key <= smaller));
      }
      bound = held >= count ? smaller : bound;
    }
    return bound;
  }

  /**
   * Each warp takes rows as it has compared those before, and queues those that are selected.
   * @param isSample a few rows are enough
   */
  __device__ void multiply(uint32_t shard, NearestLists& lists, bool isSample) {
    uint32_t tiles = (selection_.end() + machine::WARP - 1) / machine::WARP;
    uint32_t draws =
        shard < tiles ? (tiles - shard + pass_.shards - 1) / pass_.shards * DRAWS_PER_TILE : 0;
    int32_t* queue = scratch_.rows[first_ + warp()];
    uint32_t queued = 0;
    uint32_t multiplied = 0;
    for (bool more = true; more || queued > 0;) {
      uint32_t draw = 0;
      if (lane() == 0 && more) {
        draw = atomicAdd(&scratch_.counts[first_], 1);
      }
      draw = __shfl_sync(machine::ALL_LANES, draw, 0);
      more = more && draw < draws;
      uint32_t tile = shard + draw / DRAWS_PER_TILE * pass_.shards;
      uint32_t row = tile * machine::WARP + draw % DRAWS_PER_TILE * DRAWN + lane();
      bool holds = more && lane() < DRAWN && selection_.holds(row);
      uint32_t ballot = __ballot_sync(machine::ALL_LANES, holds);
      if (holds) {
        queue[queued + __popc(ballot & ((1u << lane()) - 1))] = static_cast<int32_t>(row);
      }
      queued += __popc(ballot);
      __syncwarp();
      if (queued >= Tile::ROWS || !more) {
        uint32_t count = queued < Tile::ROWS ? queued : Tile::ROWS;
        queued -= count;
        if (count > 0) {
          multiply(shard, queue + queued, count, lists, isSample);
          multiplied++;
        }
        // All have taken what is overwritten.
        __syncwarp();
        if (isSample) {
          return;
        }
        // As others have seen more as well.
        if ((multiplied & (multiplied - 1)) == 0) {
          require(shard, lists);
        }
      }
    }
  }

  /** Multiplies some rows with all queries. */
  __device__ void multiply(uint32_t shard, const int32_t* selected, uint32_t count,
                           NearestLists& lists, bool isSample) {
    const uint4* at[2];
    float scales[2];
    int32_t rows[2];
#pragma unroll
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t index = Tile::row(lane(), i);
      // Behind the end, the last row is read once more.
      int32_t row = selected[index < count ? index : count - 1];
      at[i] = vectorOf(row);
      scales[i] = scaleOf(row);
      rows[i] = index < count ? row : -1;
    }
    Tile tile;
    tile.multiply(at, loads(), pass_.fragments, pass_.groups(), lane());
    if (isSample) {
      lists.first(tile, rows, scales, lane(), sampled());
    } else {
      lists.offer(tile, rows, scales, lane(),
                  [&](uint32_t query, uint64_t key) { tell(shard, query, key); });
    }
  }

  /**
   * Gathers the rows that are at least so similar, as far as they were kept.
   * @return whether all of them were; the same for all threads
   */
  __device__ bool gather(uint32_t query, float least, uint32_t& count) {
    uint32_t& gathered = scratch_.counts[first_];
    uint32_t& lost = scratch_.ends[first_];
    if (ctx_.lane() == 0) {
      gathered = 0;
      lost = 0;
    }
    ctx_.sync();
    for (uint32_t i = ctx_.lane(); i < pass_.shards * pass_.kept; i += ctx_.lanes()) {
      uint32_t place = i % pass_.kept;
      uint64_t kept = key(i / pass_.kept, query, place);
      if (kept != UINT64_MAX && SimilarityKey::similarity(kept) >= least) {
        uint32_t index = atomicAdd(&gathered, 1);
        if (index < SearchScratch::ROWS_PER_WARP * warps()) {
          scratch_.rows[first_][index] = SimilarityKey::row(kept);
        }
        if (place == pass_.kept - 1) {
          machine::poke(lost, 1u);
        }
      }
    }
    ctx_.sync();
    count = gathered;
    return lost == 0 && count <= SearchScratch::ROWS_PER_WARP * warps();
  }

  /** Compares rows that were gathered as RowScan does, which adds in the same order. */
  __device__ void compare(const uint4* query, const QueryScale& queryScale, uint32_t count) {
    constexpr uint32_t LANES = Elements::LANES_PER_ROW;
    constexpr uint32_t ROWS = machine::WARP / LANES;
    bool isEuclidean = selection_.index().isEuclidean != 0;
    TopK found(scratch_.keys[first_ + warp()], pass_.limit, lane());
    uint32_t sub = lane() % LANES;
#pragma unroll 1
    for (uint32_t base = warp() * ROWS; base < count; base += warps() * ROWS) {
      uint32_t index = base + lane() / LANES;
      int32_t row = scratch_.rows[first_][index < count ? index : count - 1];
      const uint4* at = vectorOf(row);
      typename Elements::template Sums<1> sums;
#pragma unroll 1
      for (uint32_t load = sub; load < loads(); load += LANES) {
        uint4 read[1] = {machine::loadStreamed(at + load)};
        sums.add(read, query + load * Elements::QUERY_UNITS, isEuclidean);
      }
      float similarity = sums.similarity(lane(), scaleOf(row), queryScale, isEuclidean);
      found.offer(SimilarityKey::of(similarity, row), sub == 0 && index < count);
    }
  }

  /** Merges the keys of all warps; for all threads of the worker. */
  __device__ const uint64_t* merge() {
    ctx_.sync();
    if (warp() == 0) {
      TopK all = TopK::resumed(scratch_.keys[first_], pass_.limit, lane());
      for (uint32_t other = 1; other < warps(); other++) {
        all.merge(scratch_.keys[first_ + other]);
      }
    }
    ctx_.sync();
    return scratch_.keys[first_];
  }

  __device__ uint32_t loads() const {
    return selection_.index().template loadsOf<Elements>();
  }

  __device__ const uint4* vectorOf(int32_t row) const {
    const DeviceRows& index = selection_.index();
    return reinterpret_cast<const uint4*>(
        index.blockOf(row)->vector(row % RowBlock::ROWS, index.template vectorBytes<Elements>()));
  }

  __device__ float scaleOf(int32_t row) const {
    const DeviceRows& index = selection_.index();
    return Elements::IS_SCALED ? *index.blockOf(row)->scale(row % RowBlock::ROWS,
                                                            index.template vectorBytes<Elements>())
                               : 1;
  }
};
